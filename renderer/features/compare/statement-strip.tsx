// Chooses the statement of a script to show, with the outcome of each.
import { ArrowDownUp, Check, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import type { StatementPair } from './compare-view.ts';
import { verdictOf } from './verdict.ts';
import type { Tone } from './verdict.ts';

const ICONS: Readonly<Record<Tone, typeof Check>> = { same: Check, order: ArrowDownUp, different: X, note: Minus };
const WORDS: Readonly<Record<Tone, string>> = {
  same: 'same',
  order: 'different order',
  different: 'different',
  note: 'not compared',
};

export function ToneIcon({ tone }: { readonly tone: Tone }): ReactNode {
  const Icon = ICONS[tone];
  return <Icon size={14} aria-hidden className={`compare-tone compare-tone-${tone}`} />;
}

interface StatementStripProps {
  readonly pairs: readonly StatementPair[];
  readonly shown: number;
  readonly onShow: (position: number) => void;
}

export function StatementStrip({ pairs, shown, onShow }: StatementStripProps): ReactNode {
  const choices = pairs.map((pair, position) => {
    const { tone } = verdictOf(pair);
    return {
      id: position,
      label: (
        <>
          <ToneIcon tone={tone} /> {position + 1}
        </>
      ),
      spoken: `Statement ${position + 1}, ${WORDS[tone]}`,
      title: pair.sql.slice(0, 400),
    };
  });
  return (
    <ChoiceRow
      className="part-tabs compare-statements"
      label="Statements"
      choices={choices}
      chosen={shown}
      onChoose={onShow}
    />
  );
}
