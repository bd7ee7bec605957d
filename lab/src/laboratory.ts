// The page at work: a state, two motions, a clock.
import {alternative, draw, type ChartData, type Curve} from './chart';
import {LibraryError, type Catalogue, type Core} from './core';
import {LongRun} from './longrun';
import {onPaletteChange, prefersStillness} from './palette';
import {byId, element, fillSelect, Panel, type Side} from './panel';
import {presets, type Preset} from './presets';
import {picture, saveFile} from './save';
import {fromLink, pythonCall, scenario, standardState, toLink, type PageState} from './scenario';
import {Stage} from './scene/stage';
import {NumberTable, short} from './table';
import {distance, Track} from './track';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 50, 200, 1000];

export class Laboratory {
  readonly catalogue: Catalogue;
  private readonly panel: Panel;
  private readonly stage: Stage;
  private readonly table = new NumberTable(byId<HTMLTableElement>('table'));
  private readonly longRun: LongRun;
  state: PageState;
  private tracks: {a: Track | null; b: Track | null} = {a: null, b: null};
  private apart: {x: number[]; y: number[]} = {x: [], y: []}; // the distance of the two methods
  private playing = false;
  private time = 0;
  private lastFrame = 0;
  private lastSlow = 0;
  private rebuild = 0;
  private linkTimer = 0;
  private charts: {canvas: HTMLCanvasElement; name: string}[] = [];
  /** For those who measure: frames that were drawn, and the time of the first. */
  frames = 0;
  firstFrame = 0;

  constructor(private readonly core: Core) {
    this.catalogue = core.catalogue();
    this.longRun = new LongRun(core.module);
    byId('version').textContent = `version ${this.catalogue.version}`;
    this.panel = new Panel(this.catalogue, (state, what) => this.onChange(state, what));
    this.stage = new Stage(byId<HTMLCanvasElement>('scene'));
    this.state = this.linked() ?? structuredClone(presets[0]!.state);
    this.connect();
    this.adopt(this.state, !prefersStillness());
    requestAnimationFrame((now) => this.frame(now));
  }

  private linked(): PageState | null {
    const state = fromLink(location.hash);
    if (state === null) {
      const named = presets.find((p) => p.id === new URLSearchParams(location.hash.slice(1)).get('preset'));
      return named ? structuredClone(named.state) : null;
    }
    const known = (name: string): boolean =>
      this.catalogue.methods.some((m) => m.name === name && m.systems.includes(state.system));
    if (!known(state.a.name)) state.a = standardState(state.system).a;
    if (state.b && !known(state.b.name)) state.b = null;
    return state;
  }

  private connect(): void {
    fillSelect(byId<HTMLSelectElement>('speed'), speeds.map((s) => [String(s), `${s} a second`] as const), '1');
    const preset = byId<HTMLSelectElement>('preset');
    fillSelect(preset, [...presets.map((p) => [p.id, p.title] as const), ['', 'One’s own']], '');
    preset.onchange = () => {
      const chosen = presets.find((p) => p.id === preset.value);
      if (chosen) this.adopt(structuredClone(chosen.state), !prefersStillness());
    };
    byId('play').onclick = () => this.play(!this.playing);
    byId('back').onclick = () => this.stepBy(-1);
    byId('forward').onclick = () => this.stepBy(1);
    const time = byId<HTMLInputElement>('time');
    time.oninput = () => this.seek(Number(time.value));
    const speed = byId<HTMLSelectElement>('speed');
    speed.onchange = () => {
      this.state.speed = Number(speed.value);
      this.keepLink();
    };
    byId('copy-link').onclick = () => void this.copyLink();
    byId('save-csv').onclick = () => {
      for (const side of ['a', 'b'] as const) {
        const track = this.tracks[side];
        if (track) saveFile(`${track.motion.description.method}.csv`, new Blob([track.csv()], {type: 'text/csv'}));
      }
      this.say('Saved.');
    };
    byId('save-png').onclick = async () => {
      this.stage.render();
      const {system} = this.state;
      const names = this.present().map((t) => t.motion.description.method).join(' and ');
      const caption = `polhode ${this.catalogue.version}: ${system}, ${names}, time ${this.time.toPrecision(6)}`;
      saveFile('polhode.png', await picture(this.stage.canvas, this.chartData(), caption));
      this.say('Saved.');
    };
    byId('save-scenario').onclick = () => {
      saveFile('scenario.toml', new Blob([scenario(this.state, this.state.a).text], {type: 'application/toml'}));
      this.say('Saved.');
    };
    byId('run-long').onclick = () => this.longRun.start(this.state);
    document.addEventListener('keydown', (event) => this.onKey(event));
    window.addEventListener('hashchange', () => {
      const state = this.linked();
      if (state && toLink(state) !== toLink(this.state)) this.adopt(state, false);
    });
    const resized = (): void => {
      this.stage.resize();
      this.drawCharts();
      if (!byId('long').hidden) this.longRun.draw();
    };
    new ResizeObserver(resized).observe(this.stage.canvas);
    window.addEventListener('resize', resized);
    onPaletteChange(() => {
      const a = this.tracks.a;
      if (a) this.stage.configure(this.state, a.motion);
      resized();
    });
    document.addEventListener('visibilitychange', () => (this.lastFrame = 0));
  }

  private say(sentence: string): void {
    byId('done').textContent = sentence;
  }

  private async copyLink(): Promise<void> {
    this.writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      this.say('The link is copied.');
    } catch {
      this.say('The link is the address of this page.');
    }
  }

  /** A state from a preset or a link. */
  private adopt(state: PageState, play: boolean): void {
    this.state = state;
    this.panel.show(state);
    const speed = byId<HTMLSelectElement>('speed');
    if (!speeds.includes(state.speed))
      speed.append(element('option', {value: String(state.speed), textContent: `${state.speed} a second`}));
    speed.value = String(state.speed);
    const preset = presets.find((p) => p.id === state.preset);
    this.describe(preset);
    this.build();
    this.stage.resetCamera();
    this.time = 0;
    if (state.time > 0) this.seek(state.time);
    this.play(play && state.time === 0);
    const long = preset?.longRun === true;
    byId('long').hidden = !long;
    this.longRun.clear();
    if (long) this.longRun.start(state);
    this.writeLink();
  }

  private describe(preset: Preset | undefined): void {
    byId<HTMLSelectElement>('preset').value = preset?.id ?? '';
    byId('title').textContent = preset?.title ?? 'One’s own motion';
    byId('text').textContent =
      preset?.text ?? this.catalogue.systems.find((s) => s.name === this.state.system)?.summary ?? '';
  }

  private onChange(state: PageState, what: 'motion' | 'view' | 'system'): void {
    if (what === 'system') return this.adopt(standardState(state.system), this.playing);
    this.state = state;
    if (what === 'view') {
      const a = this.tracks.a;
      if (a) this.stage.configure(state, a.motion);
      this.stage.refill(this.time, this.trailSpan());
      this.drawNow();
      this.keepLink();
      return;
    }
    window.clearTimeout(this.rebuild);
    this.rebuild = window.setTimeout(() => {
      if (this.build()) {
        state.preset = '';
        this.describe(undefined);
        this.time = 0;
      }
      this.keepLink();
    }, 250);
  }

  /** The motions of the state. If one of them is refused, the sentence stands beside its field and the old ones go on. */
  private build(): boolean {
    this.panel.clear();
    const made: {a: Track | null; b: Track | null} = {a: null, b: null};
    const warnings = new Set<string>();
    let good = true;
    if (!(Number(this.state.span.replaceAll('_', '')) > 0)) {
      this.panel.complain('a', 'method.steps', 'must be a positive number');
      good = false;
    }
    for (const side of ['a', 'b'] as const) {
      const method = this.state[side];
      if (method === null || !good) continue;
      const text = scenario(this.state, method);
      try {
        made[side] = new Track(this.core.open(text.text));
        for (const warning of made[side].motion.description.warnings) warnings.add(warning);
      } catch (error) {
        good = false;
        this.explain(side, error, text.keys);
      }
    }
    if (!good) {
      made.a?.motion.close();
      made.b?.motion.close();
      return false;
    }
    this.tracks.a?.motion.close();
    this.tracks.b?.motion.close();
    this.tracks = made;
    this.measured = performance.now();
    for (const track of this.present()) track.measure();
    this.apart = {x: [], y: []};
    byId('warning').textContent = [...warnings].map((w) => `Note: ${w}.`).join(' ');
    const a = made.a!;
    const time = byId<HTMLInputElement>('time');
    time.max = String(this.span());
    this.stage.resize();
    this.stage.configure(this.state, a.motion);
    this.makeCharts();
    this.showTexts();
    this.drawNow();
    return true;
  }

  private explain(side: Side, error: unknown, keys: readonly string[]): void {
    if (!(error instanceof LibraryError)) {
      this.panel.complain(side, '', `The core stopped, and the page has to be loaded again: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    const key = error.key === '' && error.line > 0 ? (keys[error.line - 1] ?? '') : error.key;
    this.panel.complain(side, key, error.reason);
  }

  private showTexts(): void {
    byId('scenario').textContent = scenario(this.state, this.state.a).text;
    byId('python').textContent = pythonCall(this.state, this.state.a);
    const items: [string, string][] = [['a', this.state.a.name]];
    if (this.state.b) items.push(['b', this.state.b.name]);
    if (this.state.system !== 'two-body-sphere') {
      if (this.state.show.includes('momentum')) items.push(['momentum', 'momentum']);
      if (this.state.show.includes('omega')) items.push(['omega', this.state.system === 'free-body' ? 'angular velocity and polhode' : 'angular velocity']);
    }
    byId('legend').replaceChildren(
      ...items.map(([color, name]) => element('li', {}, element('i', {className: `swatch ${color}`}), name)),
    );
  }

  private present(): Track[] {
    return [this.tracks.a, this.tracks.b].filter((t): t is Track => t !== null);
  }

  private span(): number {
    const track = this.tracks.a;
    return track ? track.total * Math.abs(track.step) : 1;
  }
  private trailSpan(): number {
    return 6 * this.state.speed;
  }

  play(on: boolean): void {
    this.playing = on;
    if (on && this.time >= this.span()) this.seek(0);
    byId('play').textContent = on ? 'Pause' : 'Play';
    if (!on) {
      this.keepLink();
      this.drawSlow();
    }
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.span());
    this.stage.refill(this.time, this.trailSpan());
    this.drawNow();
    this.keepLink();
  }

  private stepBy(count: number): void {
    this.play(false);
    const track = this.tracks.a;
    if (!track) return;
    const at = Math.round(this.time / Math.abs(track.step)) + count;
    this.time = Math.min(Math.max(at * Math.abs(track.step), 0), this.span());
    this.drawNow();
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest('input:not([type=range]):not([type=checkbox]), select, textarea') !== null) return;
    if (event.key === ' ' && target.closest('button, summary, input, pre') === null) this.play(!this.playing);
    else if (event.key === ',') this.stepBy(-1);
    else if (event.key === '.') this.stepBy(1);
    else if (event.key === 'Home' && target.closest('input') === null) this.seek(0);
    else return;
    event.preventDefault();
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const passed = this.lastFrame === 0 ? 0 : Math.min(now - this.lastFrame, 100);
    this.lastFrame = now;
    if (this.playing) {
      this.time = Math.min(this.time + (passed / 1000) * this.state.speed, this.span());
      if (this.time >= this.span()) this.play(false);
    }
    this.advance(7);
    if (this.stage.render()) {
      ++this.frames;
      if (this.firstFrame === 0) this.firstFrame = performance.now();
    }
    if (now - this.lastSlow > 200) {
      this.lastSlow = now;
      this.drawSlow();
    }
  }

  /** Motions towards the time of the page, and the scene there. */
  private advance(milliseconds: number): void {
    const tracks = this.present();
    const a = this.tracks.a;
    if (!a) return;
    const behind = tracks.filter((t) => !t.moveTo(t.stepAt(this.time), milliseconds / tracks.length));
    const busy = byId('busy');
    const failed = tracks.find((t) => t.failure !== '');
    const note = failed
      ? `${failed.motion.description.method} stopped at time ${short(failed.time)}: ${failed.failure}`
      : behind.length > 0
        ? `computing: ${Math.floor((100 * Math.min(...behind.map((t) => Math.abs(t.time)))) / Math.max(this.time, 1e-300))} %`
        : '';
    if (busy.textContent !== note) busy.textContent = note;
    // A step that takes long holds the clock up: what is drawn is what was computed. The closed form needs not wait.
    if (behind.length > 0 && this.playing) {
      this.time = Math.min(...tracks.map((t) => Math.abs(t.time) + Math.abs(t.step)), this.time);
    }
    const b = this.tracks.b;
    const pose = a.pose(this.time);
    if (behind.includes(a) && a.motion.description.closed_form && a.motion.description.method === 'exact') {
      const s = a.motion.exact(this.time);
      Object.assign(pose, {attitude: s.attitude, momentum: s.momentum, omega: s.angularVelocity});
    }
    if (b && a.time === b.time && a.time > (this.apart.x.at(-1) ?? 0)) {
      this.apart.x.push(a.time);
      this.apart.y.push(distance(a.pose(a.time), b.pose(b.time)));
      if (this.apart.x.length > 2400) {
        this.apart.x = this.apart.x.filter((_, i) => i % 2 === 0 || i < 40);
        this.apart.y = this.apart.y.filter((_, i) => i % 2 === 0 || i < 40);
      }
    }
    const key = `${this.time} ${a.time} ${b?.time}`;
    if (key !== this.shown) {
      this.shown = key;
      this.stage.show(this.time, pose, b ? b.pose(this.time) : null);
    }
  }
  private shown = '';
  private measured = 0;

  private drawNow(): void {
    this.shown = '';
    this.advance(10);
    this.drawSlow();
  }

  private drawSlow(): void {
    const time = byId<HTMLInputElement>('time');
    if (document.activeElement !== time || this.playing) time.value = String(this.time);
    // Once more when the browser has compiled what it found to be worth it.
    if (this.measured > 0 && performance.now() - this.measured > 1500) {
      this.measured = 0;
      for (const track of this.present()) track.measure();
    }
    byId('clock').textContent = this.time.toPrecision(5);
    this.table.show(this.present());
    this.drawCharts();
  }

  // Charts: the invariants that the motion has, and the attitude or the distance of the two methods.

  private makeCharts(): void {
    const a = this.tracks.a!;
    let names = a.series.map((s) => s.name);
    if (names.includes('spatial_momentum_error')) names = names.filter((n) => n !== 'momentum_norm_error');
    names = names.slice(0, 3);
    if (!a.motion.description.closed_form && this.tracks.b && names.length < 3) names.push('apart');
    if (this.charts.map((c) => c.name).join() === names.join()) return;
    this.charts = names.map((name) => {
      const canvas = element('canvas');
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', `${name.replaceAll('_', ' ')} against time, on logarithmic axes`);
      return {canvas, name};
    });
    byId('charts').replaceChildren(...this.charts.map((c) => element('figure', {}, c.canvas)));
  }

  chartData(): ChartData[] {
    const a = this.tracks.a;
    if (!a) return [];
    const far = Math.max(...this.present().map((t) => Math.abs(t.history.rows.at(-1)?.[0] ?? 0)), 10 * Math.abs(a.step));
    const near = Math.min(...this.present().map((t) => Math.abs(t.step)));
    const common = {xLabel: 'time', cursor: this.time, xRange: [near, far] as [number, number]};
    return this.charts.map(({name}) => {
      if (name === 'apart') {
        const unit = this.state.system === 'two-body-sphere' ? 'length' : 'radians';
        return {
          ...common,
          title: 'distance of the two methods',
          unit,
          curves: [{label: 'distance', color: 'c', dashes: [], x: this.apart.x, y: this.apart.y}],
        };
      }
      const curves: Curve[] = [];
      let title = name, unit = '';
      for (const [side, track] of Object.entries(this.tracks) as [Side, Track | null][]) {
        const index = track?.series.findIndex((s) => s.name === name) ?? -1;
        const series = track?.series[index];
        if (!track || !series) continue;
        ({title, unit} = series);
        curves.push({
          label: track.motion.description.method,
          color: side,
          dashes: side === 'a' ? [] : [7, 4],
          x: track.history.times,
          y: track.history.values[index]!,
        });
      }
      return {...common, title, unit, curves};
    });
  }

  private drawCharts(): void {
    const data = this.chartData();
    data.forEach((chart, i) => {
      const canvas = this.charts[i]!.canvas;
      draw(canvas, chart);
      if (!this.playing) canvas.setAttribute('aria-label', alternative(chart));
    });
  }

  /** The last errors of the long run, for scripts. */
  longRunErrors(): number[] {
    return this.longRun.data().curves.map((c) => c.y[c.y.length - 1] ?? NaN);
  }

  private keepLink(): void {
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => this.writeLink(), 300);
    this.showTexts();
  }
  private writeLink(): void {
    this.state.time = this.playing ? 0 : this.time;
    history.replaceState(null, '', `#${toLink(this.state)}`);
    this.stage.canvas.setAttribute(
      'aria-label',
      `${byId('title').textContent}: the body in space at time ${this.time.toPrecision(4)}. ` +
        'Arrow keys turn the camera, plus and minus move it, 0 resets it; space plays and pauses.',
    );
  }
}
