// One motion of the page with its past: rows at some of its steps, as many as can be drawn.
import type {Motion} from './core';
import type {Pose} from './scene/stage';

/** The largest number of rows; when there are more, every second one goes. */
const mostRows = 2400;
/** The first steps stay: on a logarithmic axis they are a good part of it. */
const keptSteps = 40;

export class History {
  rows: Float64Array[] = [];
  steps: number[] = [];
  times: number[] = [];
  values: number[][]; // of each series
  stride = 1;

  constructor(private readonly series: readonly Series[]) {
    this.values = series.map(() => []);
  }

  get lastStep(): number {
    return this.steps.at(-1) ?? -1;
  }

  /** Steps up to the next row that is wanted. */
  missing(step: number): number {
    const next = step < keptSteps ? step + 1 : (Math.floor(step / this.stride) + 1) * this.stride;
    return next - step;
  }

  append(step: number, row: Float64Array): void {
    if (step <= this.lastStep) return;
    this.rows.push(row);
    this.steps.push(step);
    this.times.push(Math.abs(row[0]!));
    this.series.forEach((s, i) => this.values[i]!.push(s.value(row)));
    if (this.rows.length < mostRows) return;
    this.stride *= 2;
    const kept = this.steps.map((s) => s <= keptSteps || s % this.stride === 0);
    this.rows = this.rows.filter((_, i) => kept[i]);
    this.steps = this.steps.filter((_, i) => kept[i]);
    this.times = this.times.filter((_, i) => kept[i]);
    this.values = this.values.map((v) => v.filter((_, i) => kept[i]));
  }
}

/** A number that is drawn against time: the size of an error. */
export interface Series {
  name: string;
  title: string;
  unit: string;
  value(row: Float64Array): number;
}

/** The errors of the motion: invariants relative to their initial values where these are not zero, and the angle. */
export function seriesOf(motion: Motion): Series[] {
  const result: Series[] = [];
  const {invariants, initial} = motion.description;
  let first = 0;
  for (const q of invariants) {
    const column = motion.column(`${q.name}_error`)!;
    const scale = Math.hypot(...initial.slice(first, first + q.size));
    first += q.size;
    result.push({
      name: column.name,
      title: `${q.name.replaceAll('_', ' ')} error`,
      unit: scale > 0 ? 'relative' : 'absolute',
      value: (row) => Math.hypot(...row.subarray(column.offset, column.offset + column.size)) / (scale > 0 ? scale : 1),
    });
  }
  const constraint = motion.column('constraint')!;
  if (motion.description.system === 'two-body-sphere')
    result.push({name: 'constraint', title: 'constraint error', unit: 'absolute', value: (row) => row[constraint.offset]!});
  const angle = motion.column('attitude_error');
  if (angle) result.push({name: angle.name, title: 'attitude error', unit: 'radians', value: (row) => row[angle.offset]!});
  return result;
}

/** The product of a quaternion and the rotation by a vector. */
export function turned(q: readonly number[], v: readonly number[]): number[] {
  const angle = Math.hypot(...v);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  const [w, x, y, z] = q as [number, number, number, number];
  const c = Math.cos(angle / 2), a = s * v[0]!, b = s * v[1]!, d = s * v[2]!;
  return [w * c - x * a - y * b - z * d, w * a + x * c + y * d - z * b, w * b - x * d + y * c + z * a, w * d + x * b - y * a + z * c];
}

export class Track {
  readonly history: History;
  readonly series: Series[];
  readonly largest = new Map<string, number>();
  readonly total: number;
  row: Float64Array;
  failure = '';
  private readonly stateEnd: number;
  nanosecondsPerStep = 0;

  constructor(readonly motion: Motion) {
    this.series = seriesOf(motion);
    this.history = new History(this.series);
    this.total = motion.description.steps;
    this.stateEnd = Math.max(...motion.columns.filter((c) => c.kind === 'state').map((c) => c.offset + c.size));
    this.row = motion.look();
    this.record();
  }

  get step(): number {
    return this.motion.description.step;
  }
  get time(): number {
    return this.row[0]!;
  }
  stepAt(time: number): number {
    return Math.min(Math.max(Math.floor(Math.abs(time / this.step) * (1 + 1e-12)), 0), this.total);
  }

  private record(): void {
    this.history.append(this.motion.steps, this.row);
    for (const s of this.series) {
      const x = s.value(this.row);
      if (!(x <= (this.largest.get(s.name) ?? -1))) this.largest.set(s.name, x);
    }
  }

  /** The time of a step, from some milliseconds of steps that are taken back; without the looks, which cost more. */
  measure(): void {
    const at = this.motion.steps;
    try {
      let count = 8, spent = 0;
      for (; spent < 3 && count < 1e6; count *= 2) {
        const before = performance.now();
        this.motion.advance(count);
        spent = performance.now() - before;
      }
      this.nanosecondsPerStep = (1e6 * spent) / (count / 2);
    } catch {
      // The motion itself will come to what cannot be done.
    }
    this.motion.goBack(at);
    if (this.motion.steps < at) this.motion.advance(at - this.motion.steps);
  }

  /** Towards a step, for at most so many milliseconds; true when it is there. */
  moveTo(target: number, milliseconds: number): boolean {
    if (this.failure !== '') {
      if (target >= this.motion.steps) return true;
      this.failure = ''; // what was before it can be looked at
    }
    if (this.motion.steps > target) this.motion.goBack(target);
    const end = performance.now() + milliseconds;
    let at = this.motion.steps;
    let moved = false;
    try {
      while (at < target) {
        const past = at < this.history.lastStep;
        let piece = Math.min(target - at, past ? Math.max(this.history.lastStep - at, 1) : this.history.missing(at));
        // Short enough to stop in time.
        piece = Math.min(piece, Math.max(1, Math.floor(3e6 / Math.max(this.nanosecondsPerStep, 20))));
        this.motion.advance(piece);
        at += piece;
        moved = true;
        if (!past) {
          if (!this.look()) break;
          this.record();
        }
        if (performance.now() > end) break;
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
    if (this.failure === '' && (moved || this.time !== at * this.step)) this.look();
    return at >= target || this.failure !== '';
  }

  /** The row of this moment; false if the state is not finite any more: then the last one that was stays. */
  private look(): boolean {
    const row = this.motion.look();
    if (!row.subarray(0, this.stateEnd).every(Number.isFinite)) {
      this.failure = `the state is not finite after step ${this.motion.steps}`;
      return false;
    }
    this.row = row;
    return true;
  }

  /** The state, carried on from the last step to a time within the next one. */
  pose(time: number): Pose {
    const attitude = this.motion.numbers(this.row, 'attitude');
    const omega = this.motion.numbers(this.row, 'angular_velocity');
    const rest = Math.min(Math.max(time - this.time, 0), Math.abs(this.step));
    return {
      attitude: attitude.length === 4 ? turned(attitude, omega.map((w) => w * rest)) : attitude,
      momentum: this.motion.numbers(this.row, 'momentum').slice(0, 3),
      omega,
      position: this.motion.numbers(this.row, 'position'),
    };
  }

  /** All rows, in the columns of the command. */
  csv(): string {
    const names = this.motion.columns.flatMap((c) =>
      c.size === 1 ? [c.name] : Array.from({length: c.size}, (_, i) => `${c.name}_${c.first + i}`),
    );
    return [names.join(','), ...this.history.rows.map((row) => Array.from(row).join(','))].join('\n') + '\n';
  }
}

/** The angle between two attitudes, or the distance of two positions. */
export function distance(a: Pose, b: Pose): number {
  if (a.attitude.length === 4) {
    const dots = a.attitude.reduce((sum, x, i) => sum + x * b.attitude[i]!, 0);
    const sign = dots < 0 ? -1 : 1;
    return 4 * Math.asin(Math.min(1, Math.hypot(...a.attitude.map((x, i) => x - sign * b.attitude[i]!)) / 2));
  }
  return Math.hypot(...a.position.map((x, i) => x - b.position[i]!));
}
