// Finds the statements of the text, and the one the cursor is in: shown in the gutter, used to run it.
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import type { EditorState, Text } from '@codemirror/state';
import { gutterLineClass, GutterMarker } from '@codemirror/view';
import { splitStatements } from '#shared/split-statements.ts';
import type { TextRange } from '#shared/split-statements.ts';

export const setStatements = StateEffect.define<readonly TextRange[]>();

interface Statements {
  readonly positions: readonly TextRange[];
  /** The document that was split; the places are moved along while a newer one is typed. */
  readonly doc: Text | null;
}

const statements = StateField.define<Statements>({
  create: () => ({ positions: [], doc: null }),
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setStatements)) return { positions: effect.value, doc: transaction.newDoc };
    if (!transaction.docChanged || value.positions.length === 0) return value;
    const move = ({ from, to }: TextRange): TextRange => ({
      from: transaction.changes.mapPos(from, 1),
      to: transaction.changes.mapPos(to, 1),
    });
    return { ...value, positions: value.positions.map(move) };
  },
});

class HereMarker extends GutterMarker {
  override elementClass = 'cm-statement-here';
}
const here = new HereMarker();

const gutter = gutterLineClass.compute([statements, 'selection'], (state) => {
  const builder = new RangeSetBuilder<GutterMarker>();
  const { positions, doc } = state.field(statements);
  const statement = doc && statementAt(state.doc, positions, state.selection.main.head);
  if (statement && statement.to <= state.doc.length) {
    const last = state.doc.lineAt(statement.to).number;
    for (let number = state.doc.lineAt(statement.from).number; number <= last; number++) {
      const { from } = state.doc.line(number);
      builder.add(from, from, here);
    }
  }
  return builder.finish();
});

export const statementGutter = [statements, gutter];

/** The places in exactly this text. */
export function statementsOf(state: EditorState): readonly TextRange[] {
  const known = state.field(statements, false);
  return known?.doc?.eq(state.doc) ? known.positions : splitStatements(state.doc.toString());
}

/**
 * The statement the user means with the cursor at `position`: the one around it, the one that just ended on the same
 * line, the next one, or the last.
 */
export function statementAt(doc: Text, positions: readonly TextRange[], position: number): TextRange | null {
  const next = positions.findIndex(({ to }) => to > position);
  if (next < 0) return positions.at(-1) ?? null;
  const candidate = positions[next]!;
  const previous = positions[next - 1];
  if (candidate.from <= position || !previous) return candidate;
  return doc.lineAt(Math.min(previous.to, doc.length)).number === doc.lineAt(position).number ? previous : candidate;
}
