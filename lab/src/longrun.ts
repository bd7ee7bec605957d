// The long run of the page: a worker for each method, and their chart.
import LongRunWorker from './longrun.worker?worker&inline';
import {alternative, draw, type ChartData, type Curve} from './chart';
import type {LongRunReport, LongRunRequest} from './longrun.worker';
import {byId, element} from './panel';
import {scenario, type MethodState, type PageState} from './scenario';

const stepsOfRun = 1_000_000;
const colors = ['a', 'b', 'c'] as const;
const dashes = [[], [7, 4], [2, 3]];

export class LongRun {
  private workers: Worker[] = [];
  private reports: {name: string; report: LongRunReport}[] = [];
  private readonly canvas = byId<HTMLCanvasElement>('long-chart');
  running = false;

  constructor(private readonly module: WebAssembly.Module) {}

  stop(): void {
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
    this.running = false;
  }

  clear(): void {
    this.stop();
    this.reports = [];
  }

  /** The methods of the page, and the exact flow beside them; one after the other, for machines have few cores. */
  start(state: PageState): void {
    this.clear();
    const methods: MethodState[] = [state.a, ...(state.b ? [state.b] : [])];
    if (!methods.some((m) => m.name === 'exact')) methods.push({name: 'exact', step: state.a.step, options: {}});
    const worker = new LongRunWorker();
    this.workers = [worker];
    this.running = true;
    this.reports = methods.map((m) => ({name: m.name, report: {done: false, time: [], error: [], nanoseconds: 0, failure: ''}}));
    let current = 0;
    const next = (): void => {
      const method = methods[current];
      if (method === undefined) return this.stop();
      const text = scenario({...state, span: String(stepsOfRun * Math.abs(Number(method.step)))}, method).text;
      worker.postMessage({module: this.module, scenario: text, steps: stepsOfRun, samples: 300} satisfies LongRunRequest);
    };
    worker.onmessage = (event: MessageEvent<LongRunReport>) => {
      this.reports[current]!.report = event.data;
      if (event.data.done) {
        ++current;
        next();
      }
      this.draw();
    };
    next();
    this.draw();
  }

  data(): ChartData {
    const curves: Curve[] = this.reports.map(({name, report}, i) => ({
      label: name,
      color: colors[i]!,
      dashes: dashes[i]!,
      x: report.time,
      y: report.error,
    }));
    const first = curves[0];
    const at = first && first.x.length > 30 ? {x: first.x[0]!, y: 1.2e-16} : null;
    return {
      title: 'energy error',
      unit: 'relative',
      xLabel: 'time',
      curves,
      guides: at ? [{label: '√t', slope: 0.5, ...at}, {label: 't', slope: 1, ...at}] : [],
    };
  }

  draw(): void {
    const data = this.data();
    draw(this.canvas, data);
    this.canvas.setAttribute('aria-label', alternative(data));
    byId('long-legend').replaceChildren(
      ...this.reports.map(({name, report}, i) => {
        const state = report.failure !== '' ? report.failure : report.done ? `${report.nanoseconds.toPrecision(3)} ns a step` : 'running';
        return element('li', {}, element('i', {className: `swatch ${colors[i]!}`}), `${name}: ${state}`);
      }),
    );
  }
}
