// A long run beside the page: steps without looks between the samples, which are spaced evenly on a logarithmic axis.
import {Core} from './core';
import {seriesOf} from './track';

export interface LongRunRequest {
  module: WebAssembly.Module;
  scenario: string;
  steps: number;
  samples: number;
}

export interface LongRunReport {
  done: boolean;
  time: number[];
  error: number[];
  nanoseconds: number; // a step
  failure: string;
}

let core: Promise<Core> | null = null;

self.onmessage = async (event: MessageEvent<LongRunRequest>): Promise<void> => {
  const {module, scenario, steps, samples} = event.data;
  const report: LongRunReport = {done: false, time: [], error: [], nanoseconds: 0, failure: ''};
  try {
    const motion = (await (core ??= Core.of(module))).open(scenario);
    const series = seriesOf(motion)[0]!;
    let spent = 0, at = 0, told = performance.now();
    for (let i = 0; i <= samples; ++i) {
      const target = Math.round(steps ** (i / samples));
      while (at < target) {
        const piece = Math.min(target - at, 20000);
        const before = performance.now();
        motion.advance(piece);
        spent += performance.now() - before;
        at += piece;
        if (performance.now() - told > 100) {
          told = performance.now();
          report.nanoseconds = (1e6 * spent) / at;
          self.postMessage(report);
        }
      }
      if (i > 0 && at === Math.round(steps ** ((i - 1) / samples))) continue;
      const row = motion.look();
      report.time.push(row[0]!);
      report.error.push(series.value(row));
    }
    report.nanoseconds = (1e6 * spent) / at;
    motion.close();
  } catch (error) {
    report.failure = error instanceof Error ? error.message : String(error);
  }
  report.done = true;
  self.postMessage(report);
};
