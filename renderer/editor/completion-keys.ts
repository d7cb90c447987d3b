// Keys of the completion list where they differ from CodeMirror's.
import { acceptCompletion, closeCompletion, completionKeymap, selectedCompletion } from '@codemirror/autocomplete';
import type { Completion } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';

/** Enter after a name that is written out means a new line, whether or not the list had time to open. */
function acceptOrBreakLine(view: EditorView): boolean {
  const chosen = selectedCompletion(view.state);
  if (!chosen || !isWritten(view.state, chosen)) return acceptCompletion(view);
  closeCompletion(view);
  return false;
}

/** Whether picking it would insert nothing: its text is before the cursor. A snippet has more than its label. */
function isWritten(state: EditorState, { label, apply, type }: Completion): boolean {
  if (type === 'function') return false;
  const text = typeof apply === 'string' ? apply : label;
  const { head } = state.selection.main;
  const before = state.sliceDoc(Math.max(0, head - text.length), head);
  return before.toLowerCase() === text.toLowerCase();
}

export const completionKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: acceptOrBreakLine },
  { key: 'Tab', run: acceptCompletion },
  ...completionKeymap.filter(({ key }) => key !== 'Enter'),
];
