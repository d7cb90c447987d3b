import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

it('commands have unique ids, and no key means two things in scopes that can be active together', () => {
  expect(new Set(COMMANDS.map((command) => command.id)).size).toBe(COMMANDS.length);
  const taken = new Map<string, string>();
  for (const command of COMMANDS) {
    const keys = [...('key' in command ? [command.key] : []), ...('otherKeys' in command ? command.otherKeys : [])];
    for (const key of keys) {
      for (const scope of command.scope === 'window' ? ['window', 'grid', 'editor'] : ['window', command.scope]) {
        const clash = taken.get(`${scope} ${key}`);
        if (clash && scope === command.scope) expect.unreachable(`${key} is taken by ${clash} and ${command.id}`);
      }
      taken.set(`${command.scope} ${key}`, command.id);
    }
  }
});
