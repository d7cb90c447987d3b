// Stages that run beside others, one after another, in processes of their own: they keep one processor busy at most, and what they print is
// shown in one piece, between two of the others.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { one, type Counts } from './counts.ts';
import { freshReport, inRoot, ROOT } from './paths.ts';
import { endTogether } from './tool.ts';

export interface SideStage {
  readonly title: string;
  /** A file of `build/`. It ends with {@link exitCodeOf}, or counts as one test. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Must succeed first. */
  readonly needs?: SideStage;
}

interface EndedSide extends Counts {
  readonly title: string;
  readonly minutes: number;
}

interface Finished {
  readonly counts: Counts;
  readonly output: string;
}

const COUNTS_VARIABLE = 'SIDELITE_COUNTS_FILE';

export class BesideStages {
  readonly #ended = new Map<SideStage, Promise<EndedSide>>();
  readonly #unshown: string[] = [];
  readonly #run: (stage: SideStage) => Promise<Finished>;

  constructor(stages: readonly SideStage[], run: (stage: SideStage) => Promise<Finished> = runProcess) {
    this.#run = run;
    let previous: Promise<unknown> = Promise.resolve();
    for (const stage of stages) {
      const ended = previous.then(() => this.#end(stage));
      this.#ended.set(stage, ended);
      previous = ended;
    }
  }

  async succeeded(stage: SideStage): Promise<boolean> {
    return (await this.#ended.get(stage))?.failed === 0;
  }

  ended(): Promise<EndedSide[]> {
    return Promise.all(this.#ended.values());
  }

  /** Prints what the stages have said that have ended since the last time. */
  show(): void {
    for (const said of this.#unshown.splice(0)) console.log(said);
  }

  async #end(stage: SideStage): Promise<EndedSide> {
    const { title, needs } = stage;
    const started = performance.now();
    const isPossible = needs === undefined || (await this.succeeded(needs));
    const { counts, output } = isPossible
      ? await this.#run(stage).catch((error: unknown) => ({ counts: one(false), output: String(error) }))
      : { counts: one(false), output: `Not run: “${needs.title}” failed` };
    if (counts.failed > 0) console.log(`\nFAILED “${title}”: what it said follows at the end of this stage\n`);
    this.#unshown.push(`\n== ${title}\n${output.trimEnd()}`);
    return { title, minutes: (performance.now() - started) / 60_000, ...counts };
  }
}

async function runProcess({ script, args = [] }: SideStage): Promise<Finished> {
  const report = freshReport(`${script}.json`);
  const child = spawn(process.execPath, [inRoot('build', script), ...args], {
    cwd: ROOT,
    env: { ...process.env, [COUNTS_VARIABLE]: report },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endTogether(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (output += text));
  }
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const counts = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Counts) : one(exitCode === 0);
  return { counts: exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts, output };
}

/** The exit code of a command that counts. Whoever runs it beside others is told the counts. */
export function exitCodeOf({ passed, failed }: Counts): number {
  const report = process.env[COUNTS_VARIABLE];
  if (report !== undefined) writeFileSync(report, JSON.stringify({ passed, failed } satisfies Counts));
  return failed > 0 ? 1 : 0;
}
