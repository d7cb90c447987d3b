// Another program for tests: it has a database file open, as a process of its own.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Opens `file`, runs `sql` and stays until it is killed; each line of its standard input is run as SQL. */
export async function holdOpen(file: string, sql: string): Promise<ChildProcess> {
  const program = `
    const db = new (require(${JSON.stringify(require.resolve('better-sqlite3'))}))(${JSON.stringify(file)}, { timeout: 0 });
    db.exec(${JSON.stringify(sql)});
    console.log('ready');
    require('node:readline').createInterface(process.stdin).on('line', (line) => (db.exec(line), console.log('done')));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'pipe'] });
  const failed = once(child.stderr!, 'data').then(([data]) => {
    throw new Error(String(data));
  });
  await Promise.race([once(child.stdout!, 'data'), failed]);
  return child;
}

export async function runIn(program: ChildProcess, sql: string): Promise<void> {
  const done = once(program.stdout!, 'data');
  program.stdin!.write(`${sql}\n`);
  await done;
}
