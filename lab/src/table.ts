// The table of numbers: state and errors of both methods, with all digits.
import {element} from './panel';
import type {Track} from './track';

const all = (x: number): string => (Number.isFinite(x) ? String(x) : Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf');
export const short = (x: number): string => (x === 0 ? '0' : Number.isFinite(x) ? x.toExponential(2) : '∞');

interface Line {
  name: string;
  cells: string[];
}

export function linesOf(tracks: readonly Track[]): Line[] {
  const first = tracks[0];
  if (first === undefined) return [];
  const lines: Line[] = [
    {name: 'steps taken', cells: tracks.map((t) => String(t.motion.steps))},
    {name: 'time', cells: tracks.map((t) => all(t.time))},
  ];
  for (const column of first.motion.columns) {
    if (column.kind !== 'state' && column.kind !== 'derived') continue;
    if (column.name === 'angular_velocity_in_space') continue;
    lines.push({
      name: column.name.replaceAll('_', ' '),
      cells: tracks.map((t) => t.motion.numbers(t.row, column.name).map(all).join('\n')),
    });
  }
  for (const series of first.series) {
    const of = (t: Track): string => {
      const own = t.series.find((s) => s.name === series.name);
      if (own === undefined) return '';
      return `${short(own.value(t.row))}   largest ${short(t.largest.get(own.name) ?? 0)}`;
    };
    lines.push({name: `${series.title}, ${series.unit}`, cells: tracks.map(of)});
  }
  lines.push({
    name: 'time of a step',
    cells: tracks.map((t) => (t.nanosecondsPerStep > 0 ? `${t.nanosecondsPerStep.toPrecision(3)} ns` : '')),
  });
  return lines;
}

/** The same elements as long as the layout is the same, so that nothing jumps and selections stay. */
export class NumberTable {
  private layout = '';
  private cells: HTMLElement[] = [];

  constructor(private readonly table: HTMLTableElement) {}

  show(tracks: readonly Track[]): void {
    const lines = linesOf(tracks);
    const layout = [...tracks.map((t) => t.motion.description.method), ...lines.map((l) => l.name)].join('|');
    if (layout !== this.layout) {
      this.layout = layout;
      this.cells = [];
      const head = element('tr', {}, element('th', {scope: 'col', textContent: ''}));
      tracks.forEach((t, i) => {
        const {method, details} = t.motion.description;
        head.append(
          element('th', {scope: 'col'}, element('i', {className: `swatch ${i === 0 ? 'a' : 'b'}`}), method, element('small', {textContent: details === '' ? '' : ` ${details}`})),
        );
      });
      const body = element('tbody');
      for (const line of lines) {
        const row = element('tr', {}, element('th', {scope: 'row', textContent: line.name}));
        for (let i = 0; i < tracks.length; ++i) {
          const cell = element('td');
          cell.style.whiteSpace = 'pre';
          this.cells.push(cell);
          row.append(cell);
        }
        body.append(row);
      }
      this.table.replaceChildren(element('thead', {}, head), body);
    }
    let k = 0;
    for (const line of lines)
      for (const text of line.cells) {
        const cell = this.cells[k++]!;
        if (cell.textContent !== text) cell.textContent = text;
      }
  }
}
