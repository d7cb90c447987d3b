// How SQL looks: every color is a token of the interface, so that light and dark need no second theme.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--bg)', fontSize: 'var(--sql-font-size, 13px)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: 'calc(var(--sql-font-size, 13px) + 7px)' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--sel)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--glow)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-bg)',
    color: 'var(--accent-text)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent',
    color: 'var(--warn)',
  },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': {
    padding: '0 8px 0 12px',
    minWidth: '36px',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-gutterElement.cm-statement-here': { boxShadow: 'inset -2px 0 0 var(--accent)', color: 'var(--dim)' },
  '.cm-foldGutter .cm-gutterElement': { width: '12px', padding: '0', cursor: 'pointer', textAlign: 'center' },
  // Open ones would be a column of arrows: they show when the mouse is near.
  '.cm-foldGutter .cm-fold-marker[title="Fold"]': { opacity: '0' },
  '.cm-gutters:hover .cm-foldGutter .cm-fold-marker[title="Fold"]': { opacity: '1' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--accent-bg)',
    color: 'var(--accent-text)',
    border: 'none',
    borderRadius: '4px',
    padding: '0 6px',
    margin: '0 2px',
  },
  '.cm-placeholder': { color: 'var(--dim)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raise)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--sel)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--dim)', fontStyle: 'normal', marginLeft: '14px' },
  '.cm-completionIcon': { color: 'var(--dim)', opacity: '1', width: '1.1em' },
  // Letters, because the library's symbols are missing from many fonts.
  '.cm-completionIcon-class::after': { content: '"T"' },
  '.cm-completionIcon-property::after': { content: '"C"' },
  '.cm-completionIcon-variable::after': { content: '"A"' },
  '.cm-completionIcon-function::after': { content: '"ƒ"' },
  '.cm-completionIcon-keyword::after': { content: '"K"' },
  '.cm-completionIcon-type::after': { content: '"t"' },
  '.cm-completionIcon-text::after': { content: '"="' },
  '.cm-diagnostic': { fontFamily: 'var(--ui)', padding: '5px 10px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--error)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--ui)', padding: '6px 28px 6px 10px' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    fontSize: '12px',
    color: 'var(--dim)',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0 4px 0 6px' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--dim)', fontSize: '18px', right: '8px' },
  '.cm-textfield': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '5px',
    fontSize: '12.5px',
    padding: '3px 7px',
  },
  '.cm-button': {
    backgroundColor: 'var(--raise)',
    backgroundImage: 'none',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '5px',
    fontSize: '12px',
    padding: '2px 8px',
  },
  '.cm-specialChar': { color: 'var(--warn)' },
  '.cm-searchMatch': { backgroundColor: 'var(--glow)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'var(--accent-bg)',
    outline: '1px solid var(--accent)',
  },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--kw)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--str)' },
  { tag: tags.special(tags.string), color: 'var(--text)' },
  { tag: [tags.number, tags.bool], color: 'var(--num)' },
  { tag: tags.null, color: 'var(--kw)' },
  { tag: tags.standard(tags.name), color: 'var(--fn)' },
  { tag: tags.typeName, color: 'var(--fn)' },
  { tag: tags.special(tags.name), color: 'var(--warn)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--text)' },
]);

export const sqlTheme: Extension = [theme, syntaxHighlighting(colors)];
