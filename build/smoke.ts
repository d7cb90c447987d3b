// The packaged program itself must start, open a database file, paint its rows and end.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePackagedApp } from './packaged-app.ts';
import { openVirtualScreen } from './screen.ts';
import { endTogether } from './tool.ts';

const LIMIT_MS = 90_000;

/** Throws when the packaged app fails; shows what it printed. */
export async function runSmokeTest(): Promise<void> {
  const program = await ensurePackagedApp();
  const work = mkdtempSync(join(tmpdir(), 'sidelite-smoke-'));
  const screen = process.platform === 'linux' ? await openVirtualScreen() : null;
  try {
    const database = join(work, 'smoke.sqlite');
    writeDatabase(database);
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const args = [`--user-data-dir=${join(work, 'profile')}`, '--smoke', ...asRoot, database];
    await runUntilOk(program, args, {
      ...process.env,
      ...(screen && { DISPLAY: screen.display, WAYLAND_DISPLAY: '' }),
    });
    console.log(`ok     ${program} opens a database`);
  } finally {
    screen?.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function writeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE planet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, moons INTEGER);
    INSERT INTO planet (name, moons) VALUES ('Mercury', 0), ('Venus', 0), ('Earth', 1), ('Mars', 2);
  `);
  database.close();
}

async function runUntilOk(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const app = spawn(program, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  endTogether(app);
  let output = '';
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    app.once('error', reject);
    app.once('close', resolve);
  });
  if (code !== 0 || !/^smoke ok$/m.test(output)) {
    throw new Error(`The packaged app failed (${code === null ? 'killed' : `exit code ${code}`}):\n${output}`);
  }
}
