// Chooses the statement of a script that is shown, and tells of each how it went.
import { ArrowDownUp, Check, Minus, X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
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
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = shown + step;
    if (step === 0 || !pairs[next]) return;
    event.preventDefault();
    onShow(next);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  return (
    <div className="compare-statements" role="tablist" aria-label="Statements" onKeyDown={move}>
      {pairs.map((pair, position) => {
        const { tone } = verdictOf(pair);
        return (
          <button
            key={position}
            type="button"
            role="tab"
            aria-selected={position === shown}
            aria-label={`Statement ${position + 1}, ${WORDS[tone]}`}
            tabIndex={position === shown ? 0 : -1}
            title={pair.sql.slice(0, 400)}
            onClick={() => onShow(position)}
          >
            <ToneIcon tone={tone} /> {position + 1}
          </button>
        );
      })}
    </div>
  );
}
