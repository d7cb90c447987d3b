// Profile and rounds.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { PRAGMA_NAMES, PROFILES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { MOST_ROUNDS } from '../choice.ts';
import { Segments } from '../segments.tsx';
import type { ChoiceProps } from './suite-choice.tsx';

const PROFILE_OPTIONS: readonly { readonly id: ProfileName; readonly label: string; readonly meaning: string }[] = [
  { id: 'balanced', label: 'Balanced', meaning: 'Survives an app crash; a power loss can lose the last commits.' },
  { id: 'full', label: 'Full', meaning: 'Each commit is on disk when it is confirmed.' },
  { id: 'memory', label: 'Memory', meaning: 'Nothing is saved.' },
];

const LENGTHS = [
  { id: 'quick', label: 'Quick', meaning: 'One size and few rounds: about a minute per suite, wide intervals' },
  { id: 'full', label: 'Thorough', meaning: 'As many rounds as each test needs for its length' },
] as const;

export function HowChoice({ setup, change }: Omit<ChoiceProps, 'availability'>): ReactNode {
  const profile = PROFILES[setup.profile];
  return (
    <fieldset className="bench-choice">
      <legend>How to measure</legend>
      <div className="bench-how">
        <span>Length</span>
        <Segments
          label="Length"
          value={setup.quick ? 'quick' : 'full'}
          options={LENGTHS}
          onChange={(length) => change({ quick: length === 'quick' })}
        />
        <span>Rounds</span>
        <Rounds rounds={setup.rounds} onChange={(rounds) => change({ rounds })} />
        <span>Profile</span>
        <Segments
          label="Profile"
          value={setup.profile}
          options={PROFILE_OPTIONS}
          onChange={(name) => change({ profile: name })}
        />
      </div>
      <p className="bench-note">
        {PROFILE_OPTIONS.find(({ id }) => id === setup.profile)!.meaning} The same on every engine, and verified:{' '}
        {PRAGMA_NAMES.map((name) => `${name} ${String(profile[name])}`).join(', ')}.
      </p>
      <p className="bench-note">
        Engines take turns in each round, every sample gets a fresh database, and results are compared: a different
        result voids the cell.
      </p>
    </fieldset>
  );
}

interface RoundsProps {
  readonly rounds: number | null;
  readonly onChange: (rounds: number | null) => void;
}

/** Leaves the text alone while the user is typing; only valid numbers are used. */
function Rounds({ rounds, onChange }: RoundsProps): ReactNode {
  const [text, setText] = useState(rounds === null ? '' : String(rounds));
  return (
    <input
      className="bench-rounds"
      type="number"
      min={1}
      max={MOST_ROUNDS}
      placeholder="automatic"
      aria-label="Rounds (empty: as many as each test needs)"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const number = Math.floor(Number(target.value));
        onChange(target.value.trim() === '' || !(number >= 1 && number <= MOST_ROUNDS) ? null : number);
      }}
    />
  );
}
