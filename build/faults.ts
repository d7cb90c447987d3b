// `npm run faults [-- --seed N --minutes N --count N --kills N --fresh]`: everything that can go wrong below SQLite, or real kills of the app.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { killTheApp } from './kills.ts';
import { inRoot, userCache } from './paths.ts';
import { command } from './tool.ts';

const SAVE_EVERY_MS = 5_000;
const LOST_SHOWN = 20;

/** The part of worker/engines/wasm/faults/campaign.test-suite.ts used here, which is not part of the build and loaded as it is. */
interface Campaign {
  readonly signature: string;
  readonly specs: readonly unknown[];
  try(index: number): {
    readonly spec: { readonly fault: { readonly effect: string }; readonly durability: string };
    readonly verdict: {
      readonly lost: string | null;
      readonly struck: boolean;
      readonly refused: number;
      readonly cameBack: boolean;
      readonly shortened: boolean;
    };
  };
}

interface Tally {
  tried: number;
  survived: number;
  lost: number;
  /** The workload ended before the fault came. */
  unreached: number;
  refused: number;
  cameBack: number;
  shortened: number;
}

/** State in which a run was left: the next one with the same seed continues there. */
interface State {
  readonly signature: string;
  next: number;
  readonly tallies: Record<string, Tally>;
  readonly losses: { readonly spec: unknown; readonly lost: string }[];
}

await command(import.meta, async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '30' },
      count: { type: 'string', default: 'Infinity' },
      kills: { type: 'string' },
      fresh: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.kills !== undefined)
    return await killTheApp(seed, {
      kills: Number(values.kills),
      minutes: Number(values.minutes),
      fresh: values.fresh,
    });
  return await tryFaults(seed, { minutes: Number(values.minutes), count: Number(values.count), fresh: values.fresh });
});

async function tryFaults(
  seed: number,
  limits: { readonly minutes: number; readonly count: number; readonly fresh: boolean },
): Promise<number> {
  const campaign = await openCampaign(seed);
  const file = userCache('faults', `seed-${seed}.json`);
  const state = (limits.fresh ? null : readState(file, campaign.signature)) ?? newState(campaign.signature);
  if (state.next > 0) console.log(`Going on at ${state.next} of ${campaign.specs.length} (--fresh starts again).`);
  const endsAt = performance.now() + limits.minutes * 60_000;
  const end = Math.min(campaign.specs.length, state.next + limits.count);
  for (let savedAt = performance.now(); state.next < end && performance.now() < endsAt;) {
    note(state, campaign.try(state.next++));
    if (performance.now() - savedAt < SAVE_EVERY_MS) continue;
    savedAt = performance.now();
    writeState(file, state);
    console.log(`${state.next} of ${campaign.specs.length}, lost: ${state.losses.length}`);
  }
  const finished = state.next === campaign.specs.length;
  if (finished) rmSync(file, { force: true });
  else writeState(file, state);
  report(state, seed, finished ? 'all there are' : `${state.next} of ${campaign.specs.length}`);
  return state.losses.length > 0 ? 1 : 0;
}

async function openCampaign(seed: number): Promise<Campaign> {
  const module = inRoot('worker', 'engines', 'wasm', 'faults', 'campaign.test-suite.ts');
  const { Campaign } = (await import(pathToFileURL(module).href)) as {
    Campaign: { open(seed: number): Promise<Campaign> };
  };
  return await Campaign.open(seed);
}

function note(state: State, { spec, verdict }: ReturnType<Campaign['try']>): void {
  const { durability, fault } = spec;
  const tally = (state.tallies[`${fault.effect}, ${durability}`] ??= {
    tried: 0,
    survived: 0,
    lost: 0,
    unreached: 0,
    refused: 0,
    cameBack: 0,
    shortened: 0,
  });
  tally.tried++;
  tally.refused += verdict.refused;
  if (verdict.cameBack) tally.cameBack++;
  if (verdict.shortened) tally.shortened++;
  if (verdict.lost !== null) {
    tally.lost++;
    state.losses.push({ spec, lost: verdict.lost });
  } else if (verdict.struck) tally.survived++;
  else tally.unreached++;
}

function report(state: State, seed: number, extent: string): void {
  console.log(`\nFaults with seed ${seed}: ${extent}`);
  const rows = Object.entries(state.tallies).sort(([a], [b]) => a.localeCompare(b));
  console.table(Object.fromEntries(rows));
  for (const loss of state.losses.slice(0, LOST_SHOWN)) console.log(JSON.stringify(loss));
  const sum = (key: keyof Tally): number => rows.reduce((total, [, tally]) => total + tally[key], 0);
  console.log(
    `${sum('tried')} tried, ${sum('survived')} survived, ${sum('unreached')} not reached, ${sum('lost')} lost`,
  );
}

function newState(signature: string): State {
  return { signature, next: 0, tallies: {}, losses: [] };
}

/** Null for another set of trials, or when there is none. */
function readState(file: string, signature: string): State | null {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as State;
    return state.signature === signature ? state : null;
  } catch {
    return null;
  }
}

function writeState(file: string, state: State): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(state));
}
