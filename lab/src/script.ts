// window.polhode: the page for scripts.
import type {Core} from './core';

export interface RunRequest {
  inertia: readonly number[] | readonly (readonly number[])[];
  momentum: readonly number[];
  attitude?: readonly number[] | readonly (readonly number[])[];
  step: number;
  steps: number;
  method: string;
}

export interface RunResult {
  momentum: number[];
  attitude: number[];
  energy_error: number;
}

/** A number as TOML, which reads back to the same double. */
export function tomlNumber(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf';
  return Object.is(x, -0) ? '-0.0' : String(x);
}

export function tomlValue(x: unknown): string {
  if (typeof x === 'number') return tomlNumber(x);
  if (typeof x === 'string') return JSON.stringify(x);
  if (typeof x === 'boolean') return String(x);
  if (Array.isArray(x)) return `[${x.map(tomlValue).join(', ')}]`;
  throw new TypeError(`this is no value of a scenario: ${String(x)}`);
}

/** A free body, as `polhode run` moves it. Throws the sentence of the library. */
export function run(core: Core, request: RunRequest): RunResult {
  const {inertia, momentum, attitude, step, steps, method, ...others} = request;
  const lines = ['[system]', 'kind = "free-body"', `inertia = ${tomlValue(inertia)}`, '[state]', `momentum = ${tomlValue(momentum)}`];
  if (attitude !== undefined) lines.push(`attitude = ${tomlValue(attitude)}`);
  lines.push('[method]', `name = ${tomlValue(method)}`, `step = ${tomlValue(step)}`, `steps = ${tomlValue(steps)}`);
  for (const [key, value] of Object.entries(others)) lines.push(`${key} = ${tomlValue(value)}`);
  return runScenario(core, lines.join('\n')) as unknown as RunResult;
}

/** The final state of any scenario: the quantities of the state, and energy_error where there is an energy. */
export function runScenario(core: Core, toml: string): Record<string, number[] | number> {
  const motion = core.open(toml);
  try {
    motion.advance(motion.description.steps);
    const row = motion.look();
    const result: Record<string, number[] | number> = {};
    for (const column of motion.columns) {
      if (column.kind === 'state') result[column.name] = motion.numbers(row, column.name);
      if (column.name === 'energy_error') result['energy_error'] = row[column.offset]!;
    }
    return result;
  } finally {
    motion.close();
  }
}
