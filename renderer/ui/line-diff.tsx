// Two texts as one list of lines: what was removed, what was added, and what is the same.
import { useMemo, type ReactNode } from 'react';
import { formatCount } from './format.ts';
import { alignLines } from '#shared/schema-diff/aligned-lines.ts';
import './line-diff.css';

/** More lines than a person reads would keep the window busy. */
const SHOWN_LINES = 2000;
/** Lines around a change, where equal lines are left out. */
const CONTEXT_LINES = 3;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '−', added: '+' };

interface LineDiffProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  /** Names of removed and added lines for screen readers: “earlier”, “later”. */
  readonly words: readonly [string, string];
  /** Shown instead of two equal texts. */
  readonly same: string;
  /** Leaves out equal lines far from a change. */
  readonly onlyChanges?: boolean;
}

export function LineDiff({ before, after, label, words, same, onlyChanges = false }: LineDiffProps): ReactNode {
  const lines = useMemo(() => {
    const all = diffLines(before, after);
    return onlyChanges ? nearChanges(all) : all;
  }, [before, after, onlyChanges]);
  const meanings = { same: '', removed: `${words[0]}: `, added: `${words[1]}: ` };
  return (
    <>
      {lines.every((line) => line?.kind === 'same') && <p className="note">{same}</p>}
      <div className="scroll sunken text-color line-diff selectable" role="group" tabIndex={0} aria-label={label}>
        {lines.slice(0, SHOWN_LINES).map((line, index) =>
          line === null ? (
            <div key={index} className="line-diff-gap">
              ⋯
            </div>
          ) : (
            <div key={index} data-kind={line.kind}>
              <span aria-hidden>{SIGNS[line.kind]}</span>
              <span className="visually-hidden">{meanings[line.kind]}</span>
              <code>{line.text}</code>
            </div>
          ),
        )}
      </div>
      {lines.length > SHOWN_LINES && (
        <p className="note">{formatCount(lines.length - SHOWN_LINES)} more lines are not shown.</p>
      )}
    </>
  );
}

/** Null stands for equal lines that are left out. */
function nearChanges(lines: readonly DiffLine[]): readonly (DiffLine | null)[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  });
  const shown: (DiffLine | null)[] = [];
  lines.forEach((line, at) => {
    // A line takes no more room than the sign for one.
    if (isNear[at] || (isNear[at - 1] && isNear[at + 1])) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  });
  return shown;
}

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** All lines of both texts in order: of each change, the old lines come before the new ones. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right, isSame } of alignLines(before, after)) {
    if (isSame) {
      lines.push(...added, { kind: 'same', text: left! });
      added = [];
      continue;
    }
    if (left !== null) lines.push({ kind: 'removed', text: left });
    if (right !== null) added.push({ kind: 'added', text: right });
  }
  return [...lines, ...added];
}
