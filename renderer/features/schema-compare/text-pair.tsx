// Both texts of an object side by side, with equal lines at the same height.
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { alignLines } from '#shared/schema-diff/aligned-lines.ts';
import { visibleLine, visibleLines } from '#shared/visible-text.ts';
import { PairTable } from './pair-table.tsx';

interface TextPairProps {
  readonly left: string | null;
  readonly right: string | null;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

/** Only the beginning of longer texts is shown: a file may contain megabytes in one statement. */
const SHOWN_LINES = 4000;
const SHOWN_CHARS = 400_000;

export function TextPair({ left, right, leftTitle, rightTitle }: TextPairProps): ReactNode {
  const all = useMemo(
    () => alignLines((left ?? '').slice(0, SHOWN_CHARS), (right ?? '').slice(0, SHOWN_CHARS)),
    [left, right],
  );
  const lines = all.slice(0, SHOWN_LINES);
  const isCut = lines.length < all.length || Math.max(left?.length ?? 0, right?.length ?? 0) > SHOWN_CHARS;
  return (
    <PairTable
      label="Both definitions"
      leftTitle={leftTitle}
      rightTitle={rightTitle}
      note={
        isCut && (
          <p className="schema-diff-note">Only the beginning is shown because these definitions are very long.</p>
        )
      }
    >
      {left === null || right === null ? (
        <tr>
          <Whole text={left} tone="del" />
          <Whole text={right} tone="ins" />
        </tr>
      ) : (
        lines.map((line, index) => (
          <tr key={index} data-same={line.isSame}>
            <Line text={line.left} isSame={line.isSame} tone="del" />
            <Line text={line.right} isSame={line.isSame} tone="ins" />
          </tr>
        ))
      )}
    </PairTable>
  );
}

function Whole({ text, tone }: { readonly text: string | null; readonly tone: 'ins' | 'del' }): ReactNode {
  if (text === null) return <td className="schema-diff-none">Does not exist</td>;
  return <td data-tone={tone}>{visibleLines(text.slice(0, SHOWN_CHARS))}</td>;
}

interface LineProps {
  readonly text: string | null;
  readonly isSame: boolean;
  readonly tone: 'ins' | 'del';
}

function Line({ text, isSame, tone }: LineProps): ReactNode {
  if (text === null) return <td className="schema-diff-gap" />;
  return <td {...(!isSame && { 'data-tone': tone })}>{visibleLine(text)}</td>;
}
