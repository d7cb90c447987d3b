// Typing over selected text. Left to itself, Chromium carries the colors of what is replaced over as inline styles, which the policy of
// the page refuses.
import { EditorView } from '@codemirror/view';

export const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || isComposing || main.empty || view.state.readOnly) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});
