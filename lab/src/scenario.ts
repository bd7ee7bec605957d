// The state of the page as a scenario in TOML, as the Python call and as a link. A field has the text of a TOML value, as a scenario file has it.

export type SystemName = 'free-body' | 'heavy-top' | 'satellite' | 'two-body-sphere';

export interface FieldInfo {
  key: string; // of the scenario, dotted
  label: string;
  help: string;
  optional?: boolean;
  standard: string; // the text where nothing else is said
}

export interface SystemInfo {
  name: SystemName;
  label: string;
  fields: FieldInfo[];
  shapes: string[];
  methodA: string;
  methodB: string;
  step: string;
}

const attitude: FieldInfo = {
  key: 'state.attitude',
  label: 'Attitude',
  help: 'quaternion from body to space, scalar first, or a 3×3 matrix',
  standard: '[1, 0, 0, 0]',
};
const inertia = (standard: string): FieldInfo => ({
  key: 'system.inertia',
  label: 'Inertia',
  help: 'three principal moments in any order, or a symmetric 3×3 tensor',
  standard,
});
const angularVelocity = (standard: string): FieldInfo => ({
  key: 'state.angular_velocity',
  label: 'Angular velocity',
  help: 'in the body; leave it empty where the momentum is given',
  optional: true,
  standard,
});
const momentum: FieldInfo = {
  key: 'state.momentum',
  label: 'Momentum',
  help: 'in the body; leave it empty where the angular velocity is given',
  optional: true,
  standard: '',
};

const bodies = ['box', 'ellipsoid', 'racket', 't-handle', 'book', 'asteroid', 'water', 'top', 'satellite'];

export const systems: SystemInfo[] = [
  {
    name: 'free-body',
    label: 'Free body',
    fields: [inertia('[1.0, 2.0, 2.7]'), angularVelocity('[0.01, 1.0, 0.0]'), momentum, attitude],
    shapes: bodies,
    methodA: 'exact',
    methodB: 'rk4',
    step: '0.1',
  },
  {
    name: 'heavy-top',
    label: 'Heavy top',
    fields: [
      inertia('[1.0, 1.0, 0.5]'),
      {key: 'system.field', label: 'Field', help: 'in space: weight times arm, upwards', standard: '[0, 0, 1]'},
      {key: 'system.arm', label: 'Arm', help: 'in the body, from the fixed point to the centre of mass', standard: '[0, 0, 1]'},
      angularVelocity('[0, 0, 10]'),
      momentum,
      {...attitude, standard: '[0.9689124217106447, 0.24740395925452294, 0, 0]'},
    ],
    shapes: ['top', ...bodies.filter((b) => b !== 'top')],
    methodA: 'splitting',
    methodB: 'rk4',
    step: '0.02',
  },
  {
    name: 'satellite',
    label: 'Satellite',
    fields: [
      inertia('[1.0, 2.0, 2.5]'),
      {
        key: 'system.orbit.mean_motion',
        label: 'Mean motion',
        help: 'of the orbit, in radians a unit of time',
        standard: '1',
      },
      {key: 'system.orbit.eccentricity', label: 'Eccentricity', help: '0 is a circle', standard: '0'},
      {key: 'system.orbit.inclination', label: 'Inclination', help: 'in radians', optional: true, standard: ''},
      angularVelocity('[0.02, -0.03, 1.05]'),
      momentum,
      attitude,
    ],
    shapes: ['satellite', ...bodies.filter((b) => b !== 'satellite')],
    methodA: 'splitting',
    methodB: 'rk4',
    step: '0.05',
  },
  {
    name: 'two-body-sphere',
    label: 'Two bodies on a sphere',
    fields: [
      {key: 'state.phi', label: 'Longitudes', help: 'of both bodies, in radians', standard: '[0.8, 0.5]'},
      {key: 'state.theta', label: 'Polar angles', help: 'of both bodies, in radians', standard: '[0.6, 1.5]'},
      {key: 'state.phi_rate', label: 'Rates of longitude', help: 'of both bodies', standard: '[1.1, -0.8]'},
      {key: 'state.theta_rate', label: 'Rates of polar angle', help: 'of both bodies', standard: '[-0.2, 0.0]'},
    ],
    shapes: ['spheres'],
    methodA: 'multistep',
    methodB: 'rattle',
    step: '0.01',
  },
];

export function systemInfo(name: string): SystemInfo {
  return systems.find((s) => s.name === name) ?? systems[0]!;
}

export interface MethodState {
  name: string;
  step: string;
  options: Record<string, string>; // texts of TOML values
}

export interface PageState {
  preset: string; // of the paragraph, or nothing
  system: SystemName;
  fields: Record<string, string>;
  a: MethodState;
  b: MethodState | null;
  span: string; // the time that is shown, a number
  speed: number; // units of time a second
  shape: string;
  show: string[];
  time: number;
}

export const layers = ['momentum', 'omega', 'polhode', 'herpolhode', 'trace', 'ellipsoid'] as const;
export type Layer = (typeof layers)[number];

export function standardState(system: SystemName): PageState {
  const info = systemInfo(system);
  return {
    preset: '',
    system,
    fields: Object.fromEntries(info.fields.map((f) => [f.key, f.standard])),
    a: {name: info.methodA, step: info.step, options: {}},
    b: {name: info.methodB, step: info.step, options: {}},
    span: '100',
    speed: 1,
    shape: info.shapes[0]!,
    show: ['momentum', 'omega', 'polhode', 'trace'],
    time: 0,
  };
}

/** A TOML document, and the key that each of its lines is about. */
export interface ScenarioText {
  text: string;
  keys: string[]; // of line i + 1; '' for none
}

/** A value stands on one line. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim();
}

export function steps(span: string, step: string): number {
  const count = Math.round(Math.abs(Number(span.replaceAll('_', '')) / Number(step.replaceAll('_', ''))));
  return Number.isFinite(count) && count >= 1 ? count : 1;
}

export function scenario(state: PageState, method: MethodState): ScenarioText {
  const lines: string[] = [];
  const keys: string[] = [];
  const add = (line: string, key = ''): void => {
    lines.push(line);
    keys.push(key);
  };
  const fields = systemInfo(state.system).fields;
  const section = (name: string): void => {
    for (const field of fields) {
      const cut = field.key.lastIndexOf('.');
      const value = oneLine(state.fields[field.key] ?? '');
      if (field.key.slice(0, cut) === name && value !== '') add(`${field.key.slice(cut + 1)} = ${value}`, field.key);
    }
  };
  add('[system]');
  add(`kind = ${JSON.stringify(state.system)}`, 'system.kind');
  section('system');
  if (fields.some((f) => f.key.startsWith('system.orbit.'))) {
    add('');
    add('[system.orbit]');
    section('system.orbit');
  }
  add('');
  add('[state]');
  section('state');
  add('');
  add('[method]');
  add(`name = ${JSON.stringify(method.name)}`, 'method.name');
  add(`step = ${oneLine(method.step)}`, 'method.step');
  add(`steps = ${steps(state.span, method.step)}`, 'method.steps');
  for (const [name, value] of Object.entries(method.options))
    if (oneLine(value) !== '') add(`${name} = ${oneLine(value)}`, `method.${name}`);
  return {text: lines.join('\n') + '\n', keys};
}

function pythonValue(toml: string): string {
  return oneLine(toml).replace(/\btrue\b/g, 'True').replace(/\bfalse\b/g, 'False');
}

/** The call of Python that makes the same run. */
export function pythonCall(state: PageState, method: MethodState): string {
  if (state.system === 'two-body-sphere')
    return `import polhode\n\nrun = polhode.load("scenario.toml").run()  # the scenario file of this page\n`;
  const parts: string[] = [];
  const value = (key: string): string => oneLine(state.fields[key] ?? '');
  const add = (name: string, text: string): void => {
    if (text !== '') parts.push(`${name}=${pythonValue(text)}`);
  };
  add('inertia', value('system.inertia'));
  add('angular_velocity', value('state.angular_velocity'));
  add('momentum', value('state.momentum'));
  add('attitude', value('state.attitude'));
  if (state.system === 'heavy-top')
    parts.push(`torque=polhode.UniformField(field=${value('system.field')}, arm=${value('system.arm')})`);
  if (state.system === 'satellite') {
    const orbit = Object.keys(state.fields)
      .filter((key) => key.startsWith('system.orbit.') && value(key) !== '')
      .map((key) => `${key.slice('system.orbit.'.length)}=${value(key)}`);
    parts.push(`torque=polhode.GravityGradient(${orbit.join(', ')})`);
  }
  parts.push(`step=${oneLine(method.step)}`, `steps=${steps(state.span, method.step)}`, `method=${JSON.stringify(method.name)}`);
  for (const [name, text] of Object.entries(method.options)) add(name, text);
  return `import polhode\n\nrun = polhode.propagate(\n    ${parts.join(',\n    ')},\n)\n`;
}

// The link: everything in the part of the address that is not sent to a server.

function methodToLink(prefix: string, method: MethodState, link: URLSearchParams): void {
  link.set(prefix, method.name);
  link.set(`${prefix}.step`, method.step);
  for (const [name, value] of Object.entries(method.options)) if (value !== '') link.set(`${prefix}.${name}`, value);
}

export function toLink(state: PageState): string {
  const link = new URLSearchParams();
  if (state.preset !== '') link.set('preset', state.preset);
  link.set('system', state.system);
  for (const field of systemInfo(state.system).fields) {
    const value = oneLine(state.fields[field.key] ?? '');
    if (value !== field.standard) link.set(field.key, value);
  }
  methodToLink('a', state.a, link);
  if (state.b) methodToLink('b', state.b, link);
  link.set('span', state.span);
  link.set('speed', String(state.speed));
  link.set('shape', state.shape);
  link.set('show', state.show.join('.'));
  if (state.time !== 0) link.set('t', String(state.time));
  return link.toString();
}

function methodFromLink(prefix: string, link: URLSearchParams): MethodState | null {
  const name = link.get(prefix);
  if (name === null) return null;
  const method: MethodState = {name, step: link.get(`${prefix}.step`) ?? '0.1', options: {}};
  for (const [key, value] of link)
    if (key.startsWith(`${prefix}.`) && key !== `${prefix}.step`) method.options[key.slice(prefix.length + 1)] = value;
  return method;
}

/** The state of a link; nothing if it is none. */
export function fromLink(text: string): PageState | null {
  const link = new URLSearchParams(text.replace(/^#/, ''));
  const name = link.get('system');
  const info = systems.find((s) => s.name === name);
  if (info === undefined) return null;
  const state = standardState(info.name);
  for (const field of info.fields) state.fields[field.key] = link.get(field.key) ?? field.standard;
  state.preset = link.get('preset') ?? '';
  state.a = methodFromLink('a', link) ?? state.a;
  state.b = methodFromLink('b', link);
  state.span = link.get('span') ?? state.span;
  const positive = (key: string, otherwise: number): number => {
    const x = Number(link.get(key) ?? otherwise);
    return Number.isFinite(x) && x >= 0 ? x : otherwise;
  };
  state.speed = positive('speed', 1) || 1;
  state.time = positive('t', 0);
  const shape = link.get('shape') ?? state.shape;
  state.shape = info.shapes.includes(shape) ? shape : state.shape;
  const show = link.get('show');
  if (show !== null) state.show = show.split('.').filter((x) => (layers as readonly string[]).includes(x));
  return state;
}
