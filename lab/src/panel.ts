// The inputs of the page: a field for each key of the scenario, the methods with their options, the layers of the scene.
import type {Catalogue, MethodEntry, MethodOption} from './core';
import {layers, systemInfo, systems, type MethodState, type PageState} from './scenario';

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const result = Object.assign(document.createElement(tag), properties);
  result.append(...children);
  return result;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`there is no element ${id}`);
  return found as T;
}

export function fillSelect(select: HTMLSelectElement, entries: readonly (readonly [string, string])[], value: string): void {
  select.replaceChildren(...entries.map(([v, label]) => element('option', {value: v, textContent: label})));
  select.value = value;
}

const shapeNames: Record<string, string> = {
  box: 'Box of its moments',
  ellipsoid: 'Ellipsoid of inertia',
  racket: 'Racket',
  't-handle': 'T-handle',
  book: 'Book',
  asteroid: 'Asteroid',
  water: 'Water molecule',
  top: 'Top',
  satellite: 'Satellite',
  spheres: 'Two masses',
};

const layerNames: Record<string, string> = {
  momentum: 'Momentum',
  omega: 'Angular velocity',
  polhode: 'Polhode',
  herpolhode: 'Herpolhode and plane',
  trace: 'Trace of an axis',
  ellipsoid: 'Energy ellipsoid',
};

export type Side = 'a' | 'b';

interface Message {
  input: HTMLElement;
  output: HTMLElement;
  help: string;
}

export class Panel {
  private readonly messages = new Map<string, Message>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly changed: (state: PageState, what: 'motion' | 'view' | 'system') => void,
  ) {}

  methodsOf(system: string): MethodEntry[] {
    return this.catalogue.methods.filter((m) => m.systems.includes(system));
  }

  show(state: PageState): void {
    this.messages.clear();
    const info = systemInfo(state.system);
    const system = byId<HTMLSelectElement>('system');
    fillSelect(system, systems.map((s) => [s.name, s.label] as const), state.system);
    system.onchange = () => this.changed({...state, system: system.value as PageState['system']}, 'system');
    const shape = byId<HTMLSelectElement>('shape');
    fillSelect(shape, info.shapes.map((s) => [s, shapeNames[s] ?? s] as const), state.shape);
    shape.onchange = () => {
      state.shape = shape.value;
      this.changed(state, 'view');
    };
    byId('fields').replaceChildren(
      ...info.fields.map((field) =>
        this.field(field.key, field.label, field.help, state.fields[field.key] ?? '', (text) => {
          state.fields[field.key] = text;
          this.changed(state, 'motion');
        }),
      ),
    );
    const span = byId<HTMLInputElement>('span');
    span.value = state.span;
    span.oninput = () => {
      state.span = span.value;
      this.changed(state, 'motion');
    };
    this.messages.set('span', {input: span, output: byId('span-message'), help: ''});
    for (const side of ['a', 'b'] as const) this.method(state, side);
    byId('layers').replaceChildren(
      element('legend', {textContent: 'Drawn'}),
      ...layers
        .filter((layer) => layerNames[layer] !== undefined)
        .map((layer) => {
          const box = element('input', {type: 'checkbox', checked: state.show.includes(layer)});
          box.onchange = () => {
            state.show = box.checked ? [...state.show, layer] : state.show.filter((x) => x !== layer);
            this.changed(state, 'view');
          };
          return element('label', {}, box, layerNames[layer]!);
        }),
    );
  }

  private field(key: string, label: string, help: string, value: string, set: (text: string) => void): HTMLElement {
    const id = `field-${key.replaceAll('.', '-').replaceAll(':', '-')}`;
    const input = element('input', {id, value, spellcheck: false});
    const output = element('p', {className: 'message', id: `${id}-message`, textContent: help});
    input.setAttribute('aria-describedby', output.id);
    input.oninput = () => set(input.value);
    this.messages.set(key, {input, output, help});
    return element('div', {className: 'field'}, element('label', {htmlFor: id, textContent: label}), input, output);
  }

  private method(state: PageState, side: Side): void {
    const box = byId(`method-${side}`);
    const legend = box.querySelector('legend')!;
    const chosen = state[side];
    const methods = this.methodsOf(state.system);
    const id = `method-name-${side}`;
    const select = element('select', {id});
    const entries = methods.map((m) => [m.name, m.name] as const);
    fillSelect(select, side === 'b' ? [['', 'none'], ...entries] : entries, chosen?.name ?? '');
    select.onchange = () => {
      const next: MethodState = {name: select.value, step: (chosen ?? state.a).step, options: {}};
      if (side === 'a') state.a = next;
      else state.b = select.value === '' ? null : next;
      this.method(state, side);
      this.changed(state, 'motion');
    };
    const entry = methods.find((m) => m.name === chosen?.name);
    const message = element('p', {className: 'message', id: `${id}-message`, textContent: entry?.summary ?? ''});
    select.setAttribute('aria-describedby', message.id);
    this.messages.set(`${side}:method.name`, {input: select, output: message, help: entry?.summary ?? ''});
    const name = element('div', {className: 'field'}, element('label', {htmlFor: id, textContent: 'Method'}), select, message);
    box.replaceChildren(legend, name);
    if (chosen === null) return;
    box.append(
      this.field(`${side}:method.step`, 'Step', 'of any length and sign', chosen.step, (text) => {
        chosen.step = text;
        this.changed(state, 'motion');
      }),
    );
    const options = [...(entry?.options ?? [])];
    if (entry?.compensated && !options.some((o) => o.name === 'compensated'))
      options.unshift({name: 'compensated', type: 'boolean', default: true, meaning: 'whether the sums carry their rounding errors'});
    if (options.length === 0) return;
    const more = element('details', {className: 'options', open: Object.keys(chosen.options).length > 0});
    more.append(element('summary', {textContent: 'Options'}), ...options.map((o) => this.option(state, side, chosen, o)));
    box.append(more);
  }

  private option(state: PageState, side: Side, chosen: MethodState, option: MethodOption): HTMLElement {
    const set = (text: string): void => {
      if (text === '') delete chosen.options[option.name];
      else chosen.options[option.name] = text;
      this.changed(state, 'motion');
    };
    const key = `${side}:method.${option.name}`;
    const choices = option.type === 'boolean' ? ['true', 'false'] : option.choices?.map((c) => JSON.stringify(c));
    const standard = `default ${JSON.stringify(option.default)}: ${option.meaning}`;
    if (choices === undefined) return this.field(key, option.name, standard, chosen.options[option.name] ?? '', set);
    const id = `option-${side}-${option.name}`;
    const select = element('select', {id});
    fillSelect(
      select,
      [['', `${String(option.default)} (default)`], ...choices.map((c) => [c, c.replaceAll('"', '')] as const)],
      chosen.options[option.name] ?? '',
    );
    select.onchange = () => set(select.value);
    const output = element('p', {className: 'message', textContent: option.meaning});
    this.messages.set(key, {input: select, output, help: option.meaning});
    return element('div', {className: 'field'}, element('label', {htmlFor: id, textContent: option.name}), select, output);
  }

  /** Takes all complaints away. */
  clear(): void {
    for (const {input, output, help} of this.messages.values()) {
      if (!output.classList.contains('wrong')) continue;
      output.textContent = help;
      output.classList.remove('wrong');
      input.classList.remove('wrong');
      input.removeAttribute('aria-invalid');
    }
  }

  /** A sentence beside the field of the key; beside the method where the key has none. */
  complain(side: Side, key: string, sentence: string): void {
    const own = key.startsWith('method.') ? `${side}:${key}` : key;
    const place =
      this.messages.get(key === 'method.steps' ? 'span' : own) ??
      [...this.messages].find(([k]) => key !== '' && k.startsWith(key))?.[1] ??
      this.messages.get(`${side}:method.name`)!;
    place.output.textContent = sentence;
    place.output.classList.add('wrong');
    place.input.classList.add('wrong');
    place.input.setAttribute('aria-invalid', 'true');
  }
}
