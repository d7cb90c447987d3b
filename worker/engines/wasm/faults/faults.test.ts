// A sample of everything that can go wrong below SQLite; `npm run faults` tries all of it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Durability } from '#shared/protocol/library.ts';
import { Campaign } from './campaign.ts';
import { EFFECTS } from './fault.ts';
import type { TrialSpec } from './trial.ts';

const SAMPLE = 15;

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
