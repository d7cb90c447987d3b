// The verdict on a statement in one line, next to the choice of the statement.
import type { ReactNode } from 'react';
import type { StatementPair } from './compare-view.ts';
import { ArrowDownUp, Check, Minus, X } from 'lucide-react';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { verdictOf, type Sentence, type Tone } from './verdict.ts';

const ICONS: Readonly<Record<Tone, typeof Check>> = { same: Check, order: ArrowDownUp, different: X, note: Minus };
const WORDS: Readonly<Record<Tone, string>> = {
  same: 'same',
  order: 'different order',
  different: 'different',
  note: 'not compared',
};

/** Chooses the statement of a script to show, with the outcome of each. */
function ToneIcon({ tone }: { readonly tone: Tone }): ReactNode {
  const Icon = ICONS[tone];
  return <Icon size={14} aria-hidden className={`fixed compare-tone-${tone}`} />;
}

function StatementStrip({ pairs, shown, onShow }: StatementChoice): ReactNode {
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

/** The statements of a text, and which one is shown. */
export interface StatementChoice {
  readonly pairs: readonly StatementPair[];
  readonly shown: number;
  readonly onShow: (position: number) => void;
}

interface VerdictRowProps {
  readonly verdict: Sentence;
  readonly choice: StatementChoice;
  readonly children?: ReactNode;
}

export function VerdictRow({ verdict: { tone, text }, choice, children }: VerdictRowProps): ReactNode {
  return (
    <div className="row ruled-bar gap-8 compare-verdict" data-tone={tone}>
      {choice.pairs.length > 1 && <StatementStrip {...choice} />}
      <ToneIcon tone={tone} />
      <span className="fill-x clip compare-verdict-text selectable" role="status" aria-label="Verdict" title={text}>
        {text}
      </span>
      {children}
    </div>
  );
}
