// Files for the visitor: rows, pictures, scenarios.
import {paint, type ChartData} from './chart';
import {palette} from './palette';

export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The scene with the charts below it. */
export function picture(scene: HTMLCanvasElement, charts: ChartData[], caption: string): Promise<Blob> {
  const width = 1400, columns = Math.max(charts.length, 1);
  const sceneHeight = Math.round((width * scene.height) / scene.width);
  const chartHeight = charts.length > 0 ? 300 : 0;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = sceneHeight + chartHeight + 40;
  const g = canvas.getContext('2d')!;
  g.fillStyle = palette().background;
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.drawImage(scene, 0, 0, width, sceneHeight);
  charts.forEach((chart, i) => {
    g.save();
    g.translate((i * width) / columns, sceneHeight);
    paint(g, width / columns, chartHeight, chart);
    g.restore();
  });
  g.fillStyle = palette().faint;
  g.font = '15px system-ui, "DejaVu Sans", sans-serif';
  g.fillText(caption, 14, canvas.height - 14);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture could not be made')) : resolve(blob)), 'image/png'),
  );
}
