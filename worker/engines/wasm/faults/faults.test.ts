// A sample of everything that can go wrong below SQLite; `npm run faults` tries all of it.
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { Durability } from '#shared/protocol/library.ts';
import { Campaign } from './campaign.test-suite.ts';
import { EFFECTS } from './fault.test-suite.ts';
import type { Effect } from './fault.test-suite.ts';
import type { TrialSpec } from './trial-spec.test-suite.ts';

const SAMPLE = LONG ? 15 : 5;
/** After these faults the process keeps running and knows that the commit failed. */
const REFUSALS: readonly Effect[] = ['refuse', 'full', 'full-code', 'tear'];

let campaign: Campaign;
beforeAll(async () => {
  campaign = await Campaign.open(1);
});

function sample(matching: (spec: TrialSpec) => boolean): readonly TrialSpec[] {
  return campaign.specs.filter(matching).slice(0, SAMPLE);
}

describe.each(EFFECTS)('%s', (effect) => {
  test('nothing acknowledged is lost, nothing else is there, and the failure is told', () => {
    const specs = sample(({ fault }) => fault.effect === effect);
    const lost = specs.flatMap((spec) => {
      const verdict = campaign.lab.try(spec);
      return verdict.lost === null && verdict.struck ? [] : [{ spec, verdict }];
    });
    expect(specs).toHaveLength(SAMPLE);
    expect(lost).toEqual([]);
  });
});

test('a commit that was refused does not come back when the process ends', () => {
  const refused = sample(
    ({ fault, after, kept }) => after === 'crash' && kept === 'all' && REFUSALS.includes(fault.effect),
  );
  const came = refused.filter((spec) => campaign.lab.try(spec).cameBack);
  expect(refused).toHaveLength(SAMPLE);
  expect(came).toEqual([]);
});

test('a recovery that is cut short at any moment is done again', () => {
  const places = ({ fault, ...spec }: TrialSpec): boolean =>
    fault.effect === 'cut' && spec.kept === 'some' && spec.durability === 'full' && fault.at % 37 === 5;
  const specs = campaign.specs.filter(places).slice(0, LONG ? 6 : 2);
  let cuts = 0;
  for (const spec of specs) {
    for (let recoveryCut = 0, isCut = true; isCut; recoveryCut++) {
      const verdict = campaign.lab.try({ ...spec, recoveryCut });
      expect([recoveryCut, verdict.lost]).toEqual([recoveryCut, null]);
      isCut = verdict.recoveryCut;
      if (isCut) cuts++;
    }
  }
  expect(cuts).toBeGreaterThan(LONG ? 20 : 6);
});

test('a disk that only says that it flushed is found out', () => {
  const cuts = sample(({ fault, durability }) => fault.effect === 'cut' && durability === 'full' && fault.at > 100);
  campaign.lab.disk.honest = false;
  const lost = cuts.filter((spec) => campaign.lab.try(spec).lost !== null);
  campaign.lab.disk.honest = true;
  expect(lost.length).toBeGreaterThan(SAMPLE / 2);
});

test('only a power cut without a flush at each commit takes the last commits', () => {
  const takes = (durability: Durability): boolean =>
    sample(({ fault, kept, ...spec }) => fault.effect === 'cut' && kept === 'none' && spec.durability === durability)
      .map((spec) => campaign.lab.try(spec))
      .some(({ shortened }) => shortened);
  expect([takes('full'), takes('balanced')]).toEqual([false, true]);
});
