// Runs a program to its end, without a shell, and keeps what it printed within bounds.
import { spawn } from 'node:child_process';

/** A list of some 400,000 files. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_ERRORS = 8 * 1024;

export type Outcome = { readonly output: string } | { readonly failed: string } | { readonly stopped: true };

export interface ProgramRun {
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  stop(): void;
}

/** @param timeoutMs kills it then, if given; otherwise it may take as long as it wants */
export function runProgram(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  timeoutMs?: number,
): ProgramRun {
  let stopped = false;
  let stop = (): void => void (stopped = true);
  const ended = new Promise<Outcome>((resolve) => {
    const child = spawn(program, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let bytes = 0;
    let errors = '';
    let tooMuch = false;
    const timeout = timeoutMs === undefined ? undefined : setTimeout(() => void child.kill('SIGKILL'), timeoutMs);
    stop = () => {
      stopped = true;
      child.kill('SIGKILL');
    };
    child.stdout.on('data', (data: Buffer) => {
      bytes += data.length;
      if (bytes <= MAX_OUTPUT) return void output.push(data);
      tooMuch = true;
      child.kill('SIGKILL');
    });
    child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-MAX_ERRORS)));
    const end = (outcome: Outcome): void => {
      clearTimeout(timeout);
      resolve(stopped ? { stopped } : outcome);
    };
    child.on('error', ({ message }) => end({ failed: message }));
    // Do not use `exit`: the last of the output may still be on its way.
    child.on('close', (code, signal) => {
      if (code === 0) return end({ output: Buffer.concat(output).toString() });
      end({
        failed: tooMuch ? 'more was printed than can be read' : errors.trim() || String(signal ?? `exit code ${code}`),
      });
    });
  });
  return { ended, stop: () => stop() };
}
