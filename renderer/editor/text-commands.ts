// CodeMirror's text commands as commands of the window: found in menus, with keys that can be chosen.
import { addCursorAbove, addCursorBelow, moveLineDown, moveLineUp, toggleComment } from '@codemirror/commands';
import { foldAll, foldable, foldCode, foldEffect, unfoldAll, unfoldCode } from '@codemirror/language';
import { gotoLine, openSearchPanel, selectNextOccurrence } from '@codemirror/search';
import type { Command, EditorView, KeyBinding } from '@codemirror/view';

/** Folds what begins in a selected line, otherwise what the cursor is in. */
function fold(view: EditorView): boolean {
  if (foldCode(view)) return true;
  const { state } = view;
  const { head } = state.selection.main;
  for (let at = state.doc.lineAt(head).number - 1; at > 0; at--) {
    const line = state.doc.line(at);
    const range = foldable(state, line.from, line.to);
    if (!range || range.to < head) continue;
    // A cursor inside would open it again.
    view.dispatch({ effects: foldEffect.of(range), selection: { anchor: line.from } });
    return true;
  }
  return false;
}

export const TEXT_COMMANDS = {
  'editor.find': openSearchPanel,
  'editor.goToLine': gotoLine,
  'editor.comment': toggleComment,
  'editor.moveLineUp': moveLineUp,
  'editor.moveLineDown': moveLineDown,
  'editor.selectNext': selectNextOccurrence,
  'editor.cursorAbove': addCursorAbove,
  'editor.cursorBelow': addCursorBelow,
  'editor.fold': fold,
  'editor.unfold': unfoldCode,
  'editor.foldAll': foldAll,
  'editor.unfoldAll': unfoldAll,
} satisfies Record<string, Command>;

const ofTheWindow = new Set<Command | undefined>([...Object.values(TEXT_COMMANDS), foldCode]);

/** Back and Forward have these keys, except on macOS. */
const KEYS_OF_BACK_AND_FORWARD = new Set(['Alt-ArrowLeft', 'Alt-ArrowRight']);

/** The bindings without those of the commands. The search panel, which is no text, keeps its own. */
export const withoutCommands = (bindings: readonly KeyBinding[]): readonly KeyBinding[] =>
  bindings.flatMap((binding) => {
    const { key = '', ...onMac } = binding;
    if (KEYS_OF_BACK_AND_FORWARD.has(key)) {
      const extending = `Shift-${key}`;
      return [onMac, { linux: extending, win: extending, ...(binding.shift && { run: binding.shift }) }];
    }
    if (!ofTheWindow.has(binding.run)) return binding;
    return binding.scope?.includes('search-panel') ? { ...binding, scope: 'search-panel' } : [];
  });
