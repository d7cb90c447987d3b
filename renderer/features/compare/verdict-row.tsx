// The verdict on a statement in one line, next to the choice of the statement.
import type { ReactNode } from 'react';
import type { StatementPair } from './compare-view.ts';
import { StatementStrip, ToneIcon } from './statement-strip.tsx';
import type { Sentence } from './verdict.ts';
import './verdict-row.css';

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
    <div className="compare-verdict" data-tone={tone}>
      {choice.pairs.length > 1 && <StatementStrip {...choice} />}
      <ToneIcon tone={tone} />
      <span className="compare-verdict-text selectable" role="status" aria-label="Verdict" title={text}>
        {text}
      </span>
      {children}
    </div>
  );
}
