// The scene: a body or two overlaid, arrows, curves; or two masses on a sphere.
import {
  AmbientLight,
  DirectionalLight,
  Group,
  Line,
  LineBasicMaterial,
  BufferGeometry,
  CircleGeometry,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import type {Motion} from '../core';
import {palette, prefersStillness} from '../palette';
import type {Layer, PageState} from '../scenario';
import {Arrow, Curve, dispose, Trail, translucent} from './parts';
import {Orbit} from './orbit';
import {Paint, shape, spinningTop} from './shapes';

/** What is drawn of a motion at a moment. */
export interface Pose {
  attitude: number[];
  momentum: number[];
  omega: number[];
  position: number[]; // of systems in coordinates
}

const vector = (v: readonly number[], at = 0): Vector3 => new Vector3(v[at], v[at + 1], v[at + 2]);
const rotation = (q: readonly number[]): Quaternion => new Quaternion(q[1], q[2], q[3], q[0]).normalize();

export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(38, 1, 0.1, 60);
  private readonly controls: OrbitControls;
  private readonly home = new Vector3(3.7, -4.6, 2.6);

  private readonly all = new Group(); // of the present system
  private carrier = new Group(); // where the body is: on its orbit, or in the middle
  private readonly bodies: {a: Group; b: Group} = {a: new Group(), b: new Group()};
  private readonly inner = new Group(); // what turns with body A: polhode and ellipsoid
  private readonly momentum = new Arrow(0.022);
  private readonly omega = new Arrow(0.022);
  private readonly omegaB = new Arrow(0.014);
  private readonly polhode = new Curve();
  private readonly herpolhode = new Trail(900);
  private readonly traces = {a: new Trail(700), b: new Trail(700)};
  private readonly secondTraces = {a: new Trail(700), b: new Trail(700)};
  private plane: Mesh | null = null;
  private ellipsoid: Mesh | null = null;
  private orbit: Orbit | null = null;
  private masses: {a: Mesh[]; b: Mesh[]} = {a: [], b: []};
  private state: PageState | null = null;
  private motion: Motion | null = null;
  private scale = 1; // of the angular velocity
  private tracedAxis = new Vector3(1, 0, 0);
  private lastTurns: {a: Quaternion | null; b: Quaternion | null} = {a: null, b: null};
  private lastTime = 0;
  private dirty = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({canvas, antialias: true});
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(this.home);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enablePan = false;
    this.controls.enableDamping = !prefersStillness();
    this.controls.minDistance = 2;
    this.controls.maxDistance = 20;
    this.controls.addEventListener('change', () => (this.dirty = true));
    const sun = new DirectionalLight('#ffffff', 2.2);
    sun.position.set(3, -4, 6);
    const back = new DirectionalLight('#ffffff', 0.6);
    back.position.set(-4, 3, -2);
    this.scene.add(new AmbientLight('#ffffff', 1.1), sun, back, this.all);
    canvas.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** Draws this state from now on. */
  configure(state: PageState, motion: Motion): void {
    this.state = state;
    this.motion = motion;
    for (const child of [...this.all.children]) dispose(child);
    this.all.clear();
    this.inner.clear();
    this.masses = {a: [], b: []};
    this.orbit = null;
    this.plane = null;
    this.ellipsoid = null;
    this.clearTrails();
    if (state.system === 'two-body-sphere') this.makeSphere();
    else this.makeBody(state, motion);
    this.recolor();
  }

  private shows(layer: Layer): boolean {
    return this.state !== null && this.state.show.includes(layer);
  }

  private makeBody(state: PageState, motion: Motion): void {
    const body = motion.description.body;
    if (body === undefined) return;
    this.carrier = new Group();
    this.all.add(this.carrier);
    if (state.system === 'satellite') {
      this.orbit = new Orbit(state.fields);
      this.all.add(this.orbit.object);
    }
    const size = state.system === 'satellite' ? 0.5 : 1;
    // The rows are the principal axes: the columns of the turn from them to the user's frame.
    const [x, y, z] = body.axes.map((row) => vector(row)) as [Vector3, Vector3, Vector3];
    const principal = new Matrix4().makeBasis(x, y, z);
    const arm = (motion.description.system === 'heavy-top' ? readVector(state.fields['system.arm']) : null) ?? z;
    const make = (ghost: string | null): Group => {
      const paint = new Paint(ghost);
      const top = state.shape === 'top';
      const form = top ? spinningTop(paint) : shape(state.shape, body.moments, paint);
      if (top) form.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), arm.clone().normalize());
      else form.quaternion.setFromRotationMatrix(principal);
      if (state.system === 'heavy-top' && !top) form.position.copy(arm.clone().normalize());
      form.scale.setScalar(size);
      const outer = new Group();
      outer.add(form);
      return outer;
    };
    this.bodies.a = make(null);
    this.bodies.b = make(palette().b);
    this.bodies.a.add(this.inner);
    this.carrier.add(this.bodies.a, this.bodies.b, this.momentum.object, this.omega.object, this.omegaB.object);
    for (const arrow of [this.momentum, this.omega, this.omegaB]) arrow.object.scale.setScalar(size);
    this.tracedAxis = state.system === 'heavy-top' || state.shape === 'top' ? arm.clone().normalize() : x;
    this.carrier.add(this.traces.a.object, this.traces.b.object);
    const omega = motion.numbers(motion.look(), 'angular_velocity');
    this.scale = 1.7 / Math.max(Math.hypot(...omega), 1e-300);
    if (state.system === 'heavy-top') {
      const ground = new Mesh(new CircleGeometry(1.4, 64), translucent(palette().faint, 0.13));
      const up = readVector(state.fields['system.field']) ?? new Vector3(0, 0, 1);
      ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up.normalize());
      this.carrier.add(ground);
    }
    if (motion.description.closed_form) this.makePoinsot(motion, principal, body.moments);
  }

  /** Poinsot's picture: the ellipsoid of energy, the polhode on it, and the plane that it rolls on. */
  private makePoinsot(motion: Motion, principal: Matrix4, moments: readonly number[]): void {
    const path = closedPath((t) => motion.exact(t).angularVelocity, motion.description.period ?? 0);
    const largest = Math.max(...path.map((p) => Math.hypot(...p)));
    this.scale = 1.75 / Math.max(largest, 1e-300);
    const points = path.map((p) => vector(p).multiplyScalar(this.scale));
    // About a principal axis it is a point.
    const extended = points.some((p) => p.distanceTo(points[0]!) > 1e-3);
    if (extended) this.polhode.setPoints(points, 0.011);
    const first = motion.exact(0);
    const twiceEnergy = first.momentum.reduce((sum, m, i) => sum + m * first.angularVelocity[i]!, 0);
    const size = Math.hypot(...first.momentum);
    if (!(size > 0)) return;
    const axes = moments.map((i) => this.scale * Math.sqrt(twiceEnergy / i)) as [number, number, number];
    this.ellipsoid = new Mesh(new SphereGeometry(1, 48, 32), translucent(palette().faint, 0.22));
    this.ellipsoid.scale.set(...axes);
    this.ellipsoid.quaternion.setFromRotationMatrix(principal);
    this.inner.add(this.ellipsoid);
    if (extended) this.inner.add(this.polhode.object);
    const normal = vector(first.momentum).applyQuaternion(rotation(first.attitude)).normalize();
    this.plane = new Mesh(new CircleGeometry(1.9, 64), translucent(palette().momentum, 0.14));
    this.plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    this.plane.position.copy(normal).multiplyScalar((this.scale * twiceEnergy) / size);
    this.carrier.add(this.plane, this.herpolhode.object);
  }

  private makeSphere(): void {
    this.all.add(new Mesh(new SphereGeometry(1.5, 64, 48), translucent(palette().faint, 0.14)));
    const {a, b} = palette();
    for (const [name, color, radius] of [['a', a, 0.1], ['b', b, 0.07]] as const)
      for (let i = 0; i < 2; ++i) {
        const mesh = new Mesh(
          new SphereGeometry(radius, 28, 20),
          new MeshLambertMaterial({color, transparent: name === 'b', opacity: name === 'b' ? 0.6 : 1}),
        );
        this.masses[name].push(mesh);
        this.all.add(mesh);
      }
    this.all.add(this.traces.a.object, this.traces.b.object, this.secondTraces.a.object, this.secondTraces.b.object);
    // Meridians and parallels, to see the sphere by.
    for (let k = 0; k < 9; ++k) {
      const points: Vector3[] = [];
      for (let i = 0; i <= 96; ++i) {
        const u = (Math.PI * i) / 48;
        if (k < 6) {
          const f = (Math.PI * k) / 6;
          points.push(new Vector3(Math.cos(f) * Math.sin(u), Math.sin(f) * Math.sin(u), Math.cos(u)));
        } else {
          const z = Math.cos((Math.PI * (k - 5)) / 4);
          const r = Math.sqrt(1 - z * z);
          points.push(new Vector3(r * Math.cos(u), r * Math.sin(u), z));
        }
      }
      const line = new Line(
        new BufferGeometry().setFromPoints(points.map((p) => p.multiplyScalar(1.5))),
        new LineBasicMaterial({color: palette().grid}),
      );
      this.all.add(line);
    }
  }

  recolor(): void {
    const p = palette();
    this.scene.background = null;
    this.renderer.setClearColor(p.background, 1);
    this.momentum.setColor(p.momentum);
    this.omega.setColor(p.omega);
    this.omegaB.setColor(p.b);
    this.polhode.setColor(p.omega);
    this.herpolhode.setColor(p.momentum, p.background);
    for (const traces of [this.traces, this.secondTraces]) {
      traces.a.setColor(p.a, p.background);
      traces.b.setColor(p.b, p.background);
    }
    this.orbit?.recolor();
    this.dirty = true;
  }

  clearTrails(): void {
    for (const trail of [this.herpolhode, this.traces.a, this.traces.b, this.secondTraces.a, this.secondTraces.b])
      trail.clear();
    this.lastTurns = {a: null, b: null};
    this.dirty = true;
  }

  /** Moves everything to this moment. */
  show(time: number, a: Pose | null, b: Pose | null): void {
    if (this.state === null || a === null) return;
    this.dirty = true;
    if (this.state.system === 'two-body-sphere') return this.showMasses(a, b);
    this.orbit?.at(time, this.carrier.position);
    const turn = rotation(a.attitude);
    this.bodies.a.quaternion.copy(turn);
    this.bodies.b.visible = b !== null;
    if (b) this.bodies.b.quaternion.copy(rotation(b.attitude));
    const inSpace = vector(a.omega).applyQuaternion(turn).multiplyScalar(this.scale);
    const direction = vector(a.momentum).applyQuaternion(turn).normalize().multiplyScalar(2.05);
    this.momentum.point(direction);
    this.momentum.object.visible &&= this.shows('momentum');
    this.omega.point(inSpace);
    this.omega.object.visible &&= this.shows('omega');
    this.omegaB.object.visible = false;
    if (b && this.shows('omega')) {
      this.omegaB.point(vector(b.omega).applyQuaternion(rotation(b.attitude)).multiplyScalar(this.scale));
    }
    this.polhode.object.visible = this.shows('polhode');
    if (this.ellipsoid) this.ellipsoid.visible = this.shows('ellipsoid');
    if (this.plane) this.plane.visible = this.shows('herpolhode');
    this.herpolhode.object.visible = this.shows('herpolhode');
    if (this.shows('herpolhode') && this.motion) this.drawHerpolhode(this.motion, time);
    this.lastTime = time;
    this.trace('a', turn);
    if (b) this.trace('b', rotation(b.attitude));
    this.traces.a.object.visible = this.shows('trace');
    this.traces.b.object.visible = this.shows('trace') && b !== null;
  }

  /** The path of the axis, drawn on between the frames along the shortest turn. */
  private trace(side: 'a' | 'b', now: Quaternion): void {
    const before = this.lastTurns[side] ?? now;
    const pieces = Math.min(Math.max(Math.ceil(before.angleTo(now) / 0.06), 1), 24);
    for (let i = 1; i <= pieces; ++i) this.traces[side].push(this.axisEnd(before.clone().slerp(now, i / pieces)));
    this.lastTurns[side] = now;
  }

  private axisEnd(turn: Quaternion): Vector3 {
    return this.tracedAxis.clone().applyQuaternion(turn).multiplyScalar(this.state?.system === 'satellite' ? 0.85 : 1.65);
  }

  private showMasses(a: Pose, b: Pose | null): void {
    for (const [name, pose] of [['a', a], ['b', b]] as const) {
      for (const mesh of this.masses[name]) mesh.visible = pose !== null;
      this.traces[name].object.visible = this.secondTraces[name].object.visible = pose !== null && this.shows('trace');
      if (pose === null) continue;
      const points = [vector(pose.position, 0), vector(pose.position, 3)].map((p) => p.multiplyScalar(1.5));
      this.masses[name].forEach((mesh, i) => mesh.position.copy(points[i]!));
      this.traces[name].push(points[0]!);
      this.secondTraces[name].push(points[1]!);
    }
  }

  /** By the closed form, as finely as the curve needs. */
  private drawHerpolhode(motion: Motion, time: number): void {
    const passed = time - this.lastTime;
    if (!motion.description.closed_form || !(passed > 0)) return;
    const pieces = Math.min(Math.max(Math.ceil((passed * 1.75) / (0.05 * this.scale)), 1), 8);
    for (const s of motion.exactPath(this.lastTime + passed / pieces, passed / pieces, pieces))
      this.herpolhode.push(vector(s.angularVelocityInSpace).multiplyScalar(this.scale));
  }

  /** The trails up to a time, where the closed form gives them at once. */
  refill(time: number, span: number): void {
    this.clearTrails();
    const motion = this.motion;
    if (motion === null || !motion.description.closed_form || span <= 0) return;
    const points = 200;
    this.lastTime = time;
    for (const s of motion.exactPath(Math.max(time - span, 0), Math.min(span, time) / points, points)) {
      const turn = rotation(s.attitude);
      this.herpolhode.push(vector(s.angularVelocityInSpace).multiplyScalar(this.scale));
      this.trace('a', turn);
    }
  }

  resize(): void {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // A narrow window sees as much to the sides as a wide one.
    this.camera.fov = this.camera.aspect < 1 ? (2 * Math.atan(Math.tan(0.33) / this.camera.aspect) * 180) / Math.PI : 38;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  /** Draws a frame if something has changed. */
  render(): boolean {
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  resetCamera(): void {
    const raised = this.state?.system === 'heavy-top' ? 0.75 : 0;
    this.controls.target.set(0, 0, raised);
    this.camera.position.copy(this.home).multiplyScalar(raised > 0 ? 0.8 : this.shows('herpolhode') ? 1.18 : 1);
    this.camera.position.z += raised;
    this.controls.update();
    this.dirty = true;
  }

  private onKey(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-0.12, 0],
      ArrowRight: [0.12, 0],
      ArrowUp: [0, -0.12],
      ArrowDown: [0, 0.12],
    };
    const turn = turns[event.key];
    const at = this.camera.position.sub(this.controls.target);
    const r = at.length();
    if (turn) {
      const longitude = Math.atan2(at.y, at.x) + turn[0];
      const polar = Math.min(Math.max(Math.acos(at.z / r) + turn[1], 0.05), Math.PI - 0.05);
      at.set(r * Math.sin(polar) * Math.cos(longitude), r * Math.sin(polar) * Math.sin(longitude), r * Math.cos(polar));
    } else if (event.key === '+' || event.key === '-') {
      at.setLength(Math.min(Math.max(r * (event.key === '+' ? 0.9 : 1.1), 2), 20));
    } else if (event.key === '0') {
      at.copy(this.home);
    }
    at.add(this.controls.target);
    if (!turn && !['+', '-', '0'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.controls.update();
    this.dirty = true;
  }
}

/** A closed curve over a period, divided until neighbours are close: next to the separatrix it rests for long, and then hurries. */
export function closedPath(at: (time: number) => number[], period: number): number[][] {
  const first = at(0);
  if (!(period > 0) || !Number.isFinite(period)) return [first];
  const parts = 24;
  const times = Array.from({length: parts + 1}, (_, i) => (period * i) / parts);
  const coarse = times.map(at);
  const near = 0.035 * Math.max(...coarse.map((p) => Math.hypot(...p)));
  const path: number[][] = [first];
  const extend = (t0: number, p0: number[], t1: number, p1: number[], depth: number): void => {
    if (depth < 40 && path.length < 700 && Math.hypot(...p1.map((x, i) => x - p0[i]!)) > near) {
      const t = (t0 + t1) / 2, p = at(t);
      extend(t0, p0, t, p, depth + 1);
      extend(t, p, t1, p1, depth + 1);
    } else {
      path.push(p1);
    }
  };
  for (let i = 0; i < parts; ++i) extend(times[i]!, coarse[i]!, times[i + 1]!, coarse[i + 1]!, 0);
  return path;
}

/** Three numbers of a field; nothing if they are none. */
export function readVector(text: string | undefined): Vector3 | null {
  const numbers = (text ?? '').replace(/[[\]_]/g, '').split(',').map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) && numbers.some((x) => x !== 0) ? vector(numbers) : null;
}
