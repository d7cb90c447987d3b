import { defaultKeymap, cursorSyntaxLeft, cursorSyntaxRight, selectSyntaxLeft } from '@codemirror/commands';
import { expect, test } from 'vitest';
import { withoutCommands } from './text-commands.ts';

const bindings = withoutCommands(defaultKeymap);

test('Alt+Left and Alt+Right are left to Back and Forward, and move the cursor on macOS', () => {
  for (const key of ['Alt-ArrowLeft', 'Alt-ArrowRight'])
    expect(
      bindings.filter((binding) => [binding.key, binding.linux, binding.win].includes(key) && !binding.mac),
    ).toEqual([]);
  const words = bindings.filter(({ mac }) => mac === 'Alt-ArrowLeft' || mac === 'Alt-ArrowRight');
  expect(words.map(({ key }) => key)).toEqual(['Mod-ArrowLeft', 'Mod-ArrowRight']);
});

test('what else they did stays: by syntax on macOS, and extending the selection', () => {
  expect(bindings.filter(({ run }) => run === cursorSyntaxLeft)).toMatchObject([{ mac: 'Ctrl-ArrowLeft' }]);
  expect(bindings.filter(({ run }) => run === cursorSyntaxRight)).toMatchObject([{ mac: 'Ctrl-ArrowRight' }]);
  expect(bindings.filter(({ run }) => run === selectSyntaxLeft)).toMatchObject([{ linux: 'Shift-Alt-ArrowLeft' }]);
});
