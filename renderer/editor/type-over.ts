// Typing over selected text. Left to itself, Chromium carries the colors of what is replaced over as inline styles, which the policy of
// the page refuses.
import { EditorView } from '@codemirror/view';

export const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    if (inputType !== 'insertText' || data === null || isComposing || view.state.readOnly) return false;
    const { main } = view.state.selection;
    const { from, to } = main.empty ? (selectedInPage(view) ?? main) : main;
    if (from === to) return false;
    const insert = () =>
      view.state.update(
        main.empty
          ? { changes: { from, to, insert: data }, selection: { anchor: from + data.length } }
          : view.state.replaceSelection(data),
        { userEvent: 'input.type', scrollIntoView: true },
      );
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** Selection of the page. The editor hears of a new selection later than of what is typed right after it. */
function selectedInPage(view: EditorView): { readonly from: number; readonly to: number } | null {
  const selection = document.getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return null;
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return null;
  const ends = [view.posAtDOM(anchorNode, selection.anchorOffset), view.posAtDOM(focusNode, selection.focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}
