// The kills of `npm run faults`: in batches, so that the run is bounded and continues where it stopped; the report at the end.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { runEndToEndTests } from './e2e.ts';
import { userCache } from './paths.ts';

/** Each batch has a profile of its own: what went wrong in one does not spoil the next, and the file does not grow forever. */
const BATCH = 10;
/** A batch without any round is a fault of the app or of the test: continuing is useless. */
const MOST_IDLE_BATCHES = 3;
const WORKLOADS = { data: 'faults/kills.spec', library: 'library-kills.spec' } as const;
type Workload = keyof typeof WORKLOADS;

/** A round as e2e/faults/rounds.ts records it. */
interface Round {
  readonly workload: Workload;
  readonly round: number;
  readonly kind: string;
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly lost: readonly string[];
}

interface KillLimits {
  /** Number of kills for each workload. */
  readonly kills: number;
  readonly minutes: number;
  readonly fresh: boolean;
}

/** Returns the exit code. */
export async function killTheApp(seed: number, { kills, minutes, fresh }: KillLimits): Promise<number> {
  const file = userCache('faults', `kills-seed-${seed}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  if (fresh) rmSync(file, { force: true });
  const endsAt = performance.now() + minutes * 60_000;
  const unended: string[] = [];
  for (const workload of Object.keys(WORKLOADS) as Workload[]) {
    for (let idle = 0; idle < MOST_IDLE_BATCHES && performance.now() < endsAt;) {
      const done = doneOf(file, workload);
      if (done >= kills) break;
      const failed = await runBatch(file, seed, workload, done, Math.min(BATCH, kills - done));
      const came = doneOf(file, workload) - done;
      idle = came === 0 ? idle + 1 : 0;
      if (failed && came < Math.min(BATCH, kills - done)) unended.push(`${workload} ${done + came + 1}`);
    }
  }
  const rounds = readRounds(file);
  report(rounds, seed, unended);
  const isWhole = (Object.keys(WORKLOADS) as Workload[]).every((workload) => doneOf(file, workload) >= kills);
  if (!isWhole) console.log('Not all: the same command goes on where this one ended (--fresh starts again).');
  return rounds.some(({ lost }) => lost.length > 0) || unended.length > 0 ? 1 : 0;
}

async function runBatch(
  file: string,
  seed: number,
  workload: Workload,
  first: number,
  count: number,
): Promise<boolean> {
  Object.assign(process.env, {
    SIDELITE_SEED: String(seed),
    SIDELITE_FIRST_ROUND: String(first),
    SIDELITE_KILLS: String(count),
    SIDELITE_ROUNDS_FILE: file,
  });
  const counts = await runEndToEndTests(['--config', 'e2e/faults/playwright.config.ts', WORKLOADS[workload]]);
  return counts.failed > 0;
}

function report(rounds: readonly Round[], seed: number, unended: readonly string[]): void {
  console.log(`\nKills with seed ${seed}`);
  const tallies = new Map<string, { kills: number; acknowledged: number; unanswered: number; lost: number }>();
  for (const { kind, acknowledged, unanswered, lost } of rounds) {
    const tally = tallies.get(kind) ?? { kills: 0, acknowledged: 0, unanswered: 0, lost: 0 };
    tallies.set(kind, tally);
    tally.kills++;
    tally.acknowledged += acknowledged;
    tally.unanswered += unanswered;
    tally.lost += lost.length;
  }
  console.table(Object.fromEntries(tallies));
  const bad = rounds.filter(({ lost }) => lost.length > 0);
  for (const { workload, round, kind, lost } of bad)
    console.log(`${workload} ${round + 1} (${kind}): ${lost.join('; ')}`);
  if (unended.length > 0) console.log(`Did not come to an end, and was done once more: ${unended.join(', ')}`);
  console.log(`${rounds.length} kills tried, ${rounds.length - bad.length} survived, ${bad.length} lost something`);
}

const doneOf = (file: string, workload: Workload): number =>
  readRounds(file).filter((round) => round.workload === workload).length;

function readRounds(file: string): Round[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Round);
  } catch {
    return [];
  }
}
