import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import type { Command } from './commands/command.ts';

const commands: readonly Command[] = COMMANDS;
/** The text is a part of the editor. */
const ownerOf = ({ id, takesKeyOf = id }: Command): string => takesKeyOf;
const placeOf = ({ scope }: Command): string => (scope === 'text' ? 'editor' : scope);

it('commands have unique ids, and no key means two things in scopes that can be active together', () => {
  expect(new Set(commands.map((command) => command.id)).size).toBe(commands.length);
  const taken = new Map<string, Command>();
  for (const command of commands) {
    for (const key of [...(command.key ? [command.key] : []), ...(command.otherKeys ?? [])]) {
      for (const scope of command.scope === 'window' ? ['window', 'grid', 'editor'] : ['window', placeOf(command)]) {
        const clash = taken.get(`${scope} ${key}`);
        if (clash && scope === placeOf(command) && ownerOf(clash) !== ownerOf(command))
          expect.unreachable(`${key} is taken by ${clash.id} and ${command.id}`);
      }
      taken.set(`${placeOf(command)} ${key}`, command);
    }
  }
});

it('a command that takes the key of another has that key and comes first', () => {
  const taking = commands.filter(({ takesKeyOf }) => takesKeyOf !== undefined);
  expect(taking.length).toBeGreaterThan(0);
  for (const { id, key, takesKeyOf } of taking) {
    const ids = commands.map((command) => command.id);
    expect(commands.find((command) => command.id === takesKeyOf)?.key).toBe(key);
    expect(ids.indexOf(id)).toBeLessThan(ids.indexOf(takesKeyOf!));
  }
});
