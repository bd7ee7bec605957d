import './style.css';
import coreUrl from '../generated/polhode.bin?url&inline';
import {Core, LibraryError} from './core';
import {Laboratory} from './laboratory';
import {byId} from './panel';
import {run, runScenario, type RunRequest, type RunResult} from './script';

declare global {
  interface Window {
    polhode: {
      ready: Promise<void>;
      run(request: RunRequest): RunResult;
      runScenario(toml: string): Record<string, number[] | number>;
      laboratory: Laboratory | null;
    };
  }
}

let core: Core | null = null;

function loaded(): Core {
  if (core === null) throw new Error('the core is not loaded yet: wait for polhode.ready');
  return core;
}

async function start(): Promise<void> {
  core = await Core.load(coreUrl);
  window.polhode.laboratory = new Laboratory(core);
}

window.polhode = {
  ready: start(),
  run: (request) => run(loaded(), request),
  runScenario: (toml) => runScenario(loaded(), toml),
  laboratory: null,
};
window.polhode.ready.catch((error: unknown) => {
  const sentence = error instanceof LibraryError || error instanceof Error ? error.message : String(error);
  byId('busy').textContent = `The laboratory could not start: ${sentence}`;
});
