// The core in WebAssembly: scenarios in, motions out. The numbers are those of the command, to the last bit.

export interface Quantity {
  name: string;
  size: number;
  first: number;
  meaning: string;
}

export interface Description {
  system: string;
  method: string;
  details: string;
  compensated: boolean;
  step: number;
  steps: number;
  state: Quantity[];
  derived: Quantity[];
  invariants: Quantity[];
  initial: number[]; // of the invariants
  closed_form: boolean;
  warnings: string[];
  scenario: string; // as it is run, in TOML
  body?: {moments: [number, number, number]; axes: number[][]};
  period?: number | null;
}

export interface MethodOption {
  name: string;
  type: 'boolean' | 'integer' | 'number' | 'name' | 'numbers';
  default: unknown;
  choices?: string[];
  smallest?: number;
  largest?: number;
  meaning: string;
}

export interface MethodEntry {
  name: string;
  systems: string[];
  order: number;
  exact: boolean;
  compensated: boolean;
  options: MethodOption[];
  summary: string;
}

export interface Catalogue {
  version: string;
  systems: {name: string; summary: string; keys: {name: string; required: boolean; meaning: string}[]}[];
  methods: MethodEntry[];
  schemes: {name: string; order: number; stages: number; summary: string}[];
}

/** A sentence of the library, and the key of the scenario that it is about. */
export class LibraryError extends Error {
  constructor(
    readonly key: string,
    readonly reason: string,
    readonly line: number,
  ) {
    super(key === '' ? reason : `${key}: ${reason}`);
    this.name = 'LibraryError';
  }
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  lab_allocate(size: number): number;
  lab_free(address: number): void;
  lab_text(): number;
  lab_text_size(): number;
  lab_catalogue(): number;
  lab_open(text: number, size: number): number;
  lab_close(handle: number): void;
  lab_describe(handle: number): number;
  lab_row_size(handle: number): number;
  lab_steps(handle: number): number;
  lab_look(handle: number, row: number): number;
  lab_advance(handle: number, count: number): number;
  lab_go_back(handle: number, step: number): number;
  lab_exact(handle: number, first: number, distance: number, count: number, numbers: number): number;
}

/** Numbers of a state by the closed form. */
export interface ExactState {
  momentum: number[];
  attitude: number[];
  angularVelocity: number[];
  angularVelocityInSpace: number[];
}

const numbersOfExact = 13;

async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes; // a server may have unpacked it
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

export class Core {
  private constructor(
    readonly exports: Exports,
    readonly module: WebAssembly.Module,
  ) {}

  static async load(url: string): Promise<Core> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`the core could not be loaded: ${answer.status} ${answer.statusText}`);
    return Core.from(await answer.arrayBuffer());
  }

  static async from(bytes: ArrayBuffer): Promise<Core> {
    return Core.of(await WebAssembly.compile(await unpacked(bytes)));
  }

  /** Of a module that is compiled: a worker gets that of the page. */
  static async of(module: WebAssembly.Module): Promise<Core> {
    const imports: Record<string, Record<string, () => number>> = {};
    // The C library asks for files and the environment, of which there are none.
    for (const {module: from, name} of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 8;
    const instance = await WebAssembly.instantiate(module, imports);
    const exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new Core(exports, module);
  }

  catalogue(): Catalogue {
    this.check(this.exports.lab_catalogue());
    return JSON.parse(this.text()) as Catalogue;
  }

  /** Throws LibraryError. */
  open(scenario: string): Motion {
    const bytes = new TextEncoder().encode(scenario);
    const address = this.exports.lab_allocate(bytes.length + 1);
    new Uint8Array(this.exports.memory.buffer).set(bytes, address);
    const handle = this.exports.lab_open(address, bytes.length);
    this.exports.lab_free(address);
    return new Motion(this, this.check(handle));
  }

  /** The result of a call, or the sentence that explains why there is none. */
  check(result: number): number {
    if (result >= 0) return result;
    const {key, reason, line} = JSON.parse(this.text()) as {key: string; reason: string; line: number};
    throw new LibraryError(key, reason, line);
  }

  text(): string {
    const {lab_text, lab_text_size, memory} = this.exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, lab_text(), lab_text_size()));
  }
}

/** Where the numbers of a quantity stand in a row. */
export interface Column extends Quantity {
  offset: number;
  kind: 'time' | 'state' | 'derived' | 'error' | 'constraint' | 'angle';
}

export function columnsOf(d: Description): Column[] {
  const columns: Column[] = [];
  let offset = 0;
  const add = (q: Quantity, kind: Column['kind']): void => {
    columns.push({...q, offset, kind});
    offset += q.size;
  };
  add({name: 't', size: 1, first: 1, meaning: 'time'}, 'time');
  for (const q of d.state) add(q, 'state');
  for (const q of d.derived) add(q, 'derived');
  for (const q of d.invariants) add({...q, name: `${q.name}_error`}, 'error');
  add({name: 'constraint', size: 1, first: 1, meaning: 'how far the constraints are missed'}, 'constraint');
  if (d.closed_form)
    add({name: 'attitude_error', size: 1, first: 1, meaning: 'angle to the closed form, radians'}, 'angle');
  return columns;
}

export class Motion {
  readonly description: Description;
  readonly columns: Column[];
  readonly rowSize: number;
  private readonly row: number;
  private readonly path: number;
  private static readonly longestPath = 512;

  constructor(
    private readonly core: Core,
    private readonly handle: number,
  ) {
    core.check(core.exports.lab_describe(handle));
    this.description = JSON.parse(core.text()) as Description;
    this.columns = columnsOf(this.description);
    this.rowSize = core.check(core.exports.lab_row_size(handle));
    this.row = core.exports.lab_allocate(8 * this.rowSize);
    this.path = core.exports.lab_allocate(8 * numbersOfExact * Motion.longestPath);
  }

  get steps(): number {
    return this.core.exports.lab_steps(this.handle);
  }

  /** Throws LibraryError if a step cannot be taken; then none has been. */
  advance(count: number): void {
    this.core.check(this.core.exports.lab_advance(this.handle, count));
  }

  /** To a step that is not after the given one. */
  goBack(step: number): void {
    this.core.check(this.core.exports.lab_go_back(this.handle, step));
  }

  look(): Float64Array {
    this.core.check(this.core.exports.lab_look(this.handle, this.row));
    return new Float64Array(this.core.exports.memory.buffer, this.row, this.rowSize).slice();
  }

  column(name: string): Column | undefined {
    return this.columns.find((c) => c.name === name);
  }

  numbers(row: Float64Array, name: string): number[] {
    const c = this.column(name);
    return c === undefined ? [] : Array.from(row.subarray(c.offset, c.offset + c.size));
  }

  exact(time: number): ExactState {
    return this.exactPath(time, 0, 1)[0]!;
  }

  exactPath(first: number, distance: number, count: number): ExactState[] {
    const n = Math.min(count, Motion.longestPath);
    this.core.check(this.core.exports.lab_exact(this.handle, first, distance, n, this.path));
    const all = new Float64Array(this.core.exports.memory.buffer, this.path, numbersOfExact * n);
    return Array.from({length: n}, (_, i) => {
      const x = all.subarray(numbersOfExact * i, numbersOfExact * (i + 1));
      return {
        momentum: Array.from(x.subarray(0, 3)),
        attitude: Array.from(x.subarray(3, 7)),
        angularVelocity: Array.from(x.subarray(7, 10)),
        angularVelocityInSpace: Array.from(x.subarray(10, 13)),
      };
    });
  }

  close(): void {
    this.core.exports.lab_free(this.row);
    this.core.exports.lab_free(this.path);
    this.core.exports.lab_close(this.handle);
  }
}
