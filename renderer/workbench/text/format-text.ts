// Formats the SQL of a tab: the selected statements, or all of them, as one edit that can be undone.
import { toAppError } from '#shared/protocol/index.ts';
import { statementsOf } from '../../editor/statements.ts';
import { notify } from '../../state/store.ts';
import { announce } from '../../ui/announcer.tsx';
import { plural } from '../../ui/format.ts';
import type { TabEditor } from './tab-editor.ts';

/** Formatting blocks the window: about 100 ms for this length. */
const LONGEST_CHARS = 200_000;

export async function formatText(editor: TabEditor): Promise<void> {
  const { view } = editor;
  if (!view) return;
  const { state } = view;
  const sql = state.doc.toString();
  const { from, to, empty } = state.selection.main;
  if ((empty ? sql.length : to - from) > LONGEST_CHARS)
    return notify({
      tone: 'info',
      text: 'This text is too long to format at once. Select up to 200,000 characters.',
    });
  try {
    const statements = statementsOf(state);
    const chosen = empty ? statements : statements.filter((place) => place.from < to && place.to > from);
    const { formatStatements } = await import('../../editor/format-sql.ts');
    const { changes, kept } = formatStatements(sql, chosen);
    // The text was edited in the meantime, so the result no longer applies.
    if (view.state.doc !== state.doc) return;
    if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.format', scrollIntoView: true });
    if (kept > 0)
      notify({
        tone: 'info',
        text: `${plural(kept, 'statement')} ${kept === 1 ? 'was' : 'were'} not formatted, because formatting might have changed ${kept === 1 ? 'its' : 'their'} meaning.`,
      });
    else announce(changes.length > 0 ? 'Formatted' : 'Nothing to format');
  } catch (thrown) {
    notify({ tone: 'error', text: toAppError(thrown).message });
  }
}
