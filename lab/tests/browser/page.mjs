// A file server for out/lab, below a path, and a browser: what the tests and the measurements share.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css'};

/** Serves out/lab below /any/path/, without compression; counts the bytes. */
export function serve() {
  const folder = path.join(root, 'out/lab');
  const server = http.createServer((request, response) => {
    const {pathname} = new URL(request.url, 'http://localhost');
    const name = pathname.startsWith('/any/path/') ? pathname.slice('/any/path/'.length) || 'index.html' : null;
    const file = name === null ? null : path.join(folder, path.normalize(decodeURIComponent(name)));
    if (file === null || !file.startsWith(folder) || !fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const content = fs.readFileSync(file);
    server.bytes += content.length;
    response.writeHead(200, {'content-type': types[path.extname(file)] ?? 'application/octet-stream'}).end(content);
  });
  server.bytes = 0;
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      server.url = `http://127.0.0.1:${server.address().port}/any/path/`;
      resolve(server);
    }),
  );
}

/** Debian's chromium with a profile of its own, drawing by software. */
export function launch() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--enable-unsafe-swiftshader',
    ],
  });
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'polhode-lab-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));

/** `polhode run --json` of a scenario, which may be refused. */
export function command(toml, ...options) {
  const file = path.join(folder, 'scenario.toml');
  fs.writeFileSync(file, toml);
  const program = process.env.POLHODE ?? path.join(root, 'build/bin/polhode');
  const result = spawnSync(program, ['run', file, '--json', ...options], {encoding: 'utf8'});
  if (result.error) throw result.error;
  if (result.status !== 0) return {status: result.status, message: result.stderr.trim()};
  return {status: 0, ...JSON.parse(result.stdout)};
}
