// The packaged program itself must start, open a database file as a copy and in place, paint its rows and end.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    for (const way of ['copy', 'in-place']) await tryWay(program, work, way, database, screen?.display ?? null);
    console.log(`ok     ${program} opens a database, as a copy and in place`);
  } finally {
    screen?.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** As a person who has chosen once what opening a file means. */
async function tryWay(
  program: string,
  work: string,
  way: string,
  database: string,
  display: string | null,
): Promise<void> {
  const profile = join(work, `profile-${way}`);
  mkdirSync(profile);
  writeFileSync(join(profile, 'settings.json'), JSON.stringify({ openFiles: way }));
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await runUntilOk(program, [`--user-data-dir=${profile}`, '--smoke', ...asRoot, database], {
    ...process.env,
    ...(display !== null && { DISPLAY: display, WAYLAND_DISPLAY: '' }),
  });
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
