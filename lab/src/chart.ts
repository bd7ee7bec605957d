// Errors against time on logarithmic axes.
import {palette} from './palette';

export interface Curve {
  label: string;
  color: 'a' | 'b' | 'c';
  dashes: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** A power law to compare with: a line of that slope through a point. */
export interface Guide {
  label: string;
  slope: number;
  x: number;
  y: number;
}

export interface ChartData {
  title: string;
  unit: string;
  xLabel: string;
  curves: Curve[];
  guides?: Guide[];
  cursor?: number;
  xRange?: [number, number];
}

/** Whole decades around the positive values; at least three. */
export function decades(values: Iterable<number>, floor: number): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const x of values)
    if (x > 0 && Number.isFinite(x)) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  if (low === Infinity) return [-18, -15];
  let bottom = Math.max(Math.floor(Math.log10(low)), floor);
  const top = Math.max(Math.ceil(Math.log10(high) + 0.05), bottom + 1);
  if (top - bottom < 3) bottom = top - 3;
  return [bottom, top];
}

function powerText(exponent: number): string {
  const raised = String(exponent).replace(/[-0-9]/g, (c) => ({'-': '⁻'})[c] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]!);
  return exponent === 0 ? '1' : exponent === 1 ? '10' : `10${raised}`;
}

export function draw(canvas: HTMLCanvasElement, data: ChartData): void {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (width === 0 || height === 0) return;
  const ratio = Math.min(window.devicePixelRatio, 2);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const g = canvas.getContext('2d')!;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(g, width, height, data);
}

export function paint(g: CanvasRenderingContext2D, width: number, height: number, data: ChartData): void {
  const p = palette();
  const left = 44, right = width - 10, top = 24, bottom = height - 32;
  g.fillStyle = p.background;
  g.fillRect(0, 0, width, height);
  g.font = '12px system-ui, "DejaVu Sans", sans-serif';

  const xs = data.xRange ?? rangeOf(data.curves);
  const [x0, x1] = [Math.log10(xs[0]), Math.log10(Math.max(xs[1], xs[0] * 10))];
  const [y0, y1] = decades(valuesOf(data.curves), data.unit === 'radians' ? -18 : -22);
  const px = (x: number): number => left + ((Math.log10(x) - x0) / (x1 - x0)) * (right - left);
  const py = (y: number): number => bottom - ((Math.log10(y) - y0) / (y1 - y0)) * (bottom - top);

  g.strokeStyle = p.grid;
  g.fillStyle = p.faint;
  g.lineWidth = 1;
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  const every = Math.max(1, Math.ceil((y1 - y0) / 6));
  for (let k = Math.ceil(y0 / every) * every; k <= y1; k += every) {
    const y = Math.round(py(10 ** k)) + 0.5;
    line(g, left, y, right, y);
    g.fillText(powerText(k), left - 5, y);
  }
  g.textAlign = 'center';
  g.textBaseline = 'top';
  const apart = Math.max(1, Math.ceil((x1 - x0) / 6));
  for (let k = Math.ceil(x0 - 1e-9); k <= x1 + 1e-9; k += apart) {
    const x = Math.round(px(10 ** k)) + 0.5;
    line(g, x, top, x, bottom);
    g.fillText(powerText(k), Math.min(Math.max(x, left + 8), right - 8), bottom + 3);
  }
  g.fillText(data.xLabel, (left + right) / 2, bottom + 17);
  g.textAlign = 'left';
  g.textBaseline = 'alphabetic';
  g.fillStyle = p.text;
  g.font = '600 12.5px system-ui, "DejaVu Sans", sans-serif';
  g.fillText(data.title, 4, 14);
  const after = 4 + g.measureText(`${data.title} `).width;
  g.font = '12px system-ui, "DejaVu Sans", sans-serif';
  g.fillStyle = p.faint;
  g.fillText(`, ${data.unit}`, after - 4, 14, width - after);  // narrower letters where there is no room

  g.save();
  g.beginPath();
  g.rect(left, top - 2, right - left + 2, bottom - top + 4);
  g.clip();
  for (const guide of data.guides ?? []) {
    g.strokeStyle = p.faint;
    g.setLineDash([2, 4]);
    const far = 10 ** x1;
    line(g, px(guide.x), py(guide.y), px(far), py(guide.y * (far / guide.x) ** guide.slope));
    g.setLineDash([]);
    const place = 10 ** (x0 + 0.8 * (x1 - x0));
    g.fillStyle = p.faint;
    g.fillText(guide.label, px(place), py(guide.y * (place / guide.x) ** guide.slope) - 5);
  }
  for (const c of data.curves) {
    g.strokeStyle = p[c.color];
    g.lineWidth = 1.6;
    g.setLineDash(c.dashes);
    g.beginPath();
    let drawing = false;
    for (let i = 0; i < c.x.length; ++i) {
      const x = c.x[i]!, y = c.y[i]!;
      if (!(x > 0) || !Number.isFinite(y)) {
        drawing = false;
        continue;
      }
      const v = y > 0 ? Math.min(py(y), bottom) : bottom; // zero is at the foot
      if (drawing) g.lineTo(px(x), v);
      else g.moveTo(px(x), v);
      drawing = true;
    }
    g.stroke();
  }
  g.setLineDash([]);
  if (data.curves.length > 0 && data.curves.every((c) => c.y.length > 1 && !Array.from(c.y).some((y) => y !== 0))) {
    g.fillStyle = p.faint;
    g.textAlign = 'center';
    g.fillText('zero, to the last bit', (left + right) / 2, (top + bottom) / 2);
  }
  if (data.cursor !== undefined && data.cursor > 0) {
    g.strokeStyle = p.text;
    g.lineWidth = 1;
    const x = px(Math.max(data.cursor, xs[0]));
    line(g, x, top, x, bottom);
  }
  g.restore();
}

function* valuesOf(curves: Curve[]): Generator<number> {
  for (const c of curves) for (let i = 0; i < c.y.length; ++i) yield c.y[i]!;
}

function rangeOf(curves: Curve[]): [number, number] {
  let low = Infinity, high = 0;
  for (const c of curves)
    for (let i = 0; i < c.x.length; ++i) {
      const x = c.x[i]!;
      if (x > 0) {
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
    }
  return low < high ? [low, high] : [0.1, 1];
}

function line(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

/** What a chart shows, for those who do not see it. */
export function alternative(data: ChartData): string {
  const parts = data.curves.map((c) => {
    const last = c.y.length > 0 ? c.y[c.y.length - 1]! : NaN;
    return `${c.label}: ${Number.isFinite(last) ? last.toExponential(1) : 'none yet'}`;
  });
  return `${data.title}, ${data.unit}, against time on logarithmic axes. Last values: ${parts.join('; ')}.`;
}
