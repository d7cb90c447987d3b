import { expect, it } from 'vitest';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';

type Rules = Readonly<Record<string, (text: string) => string | null>>;

it('only files of the app are scripts, and no text is code or markup', () => {
  const made: [string, Rules][] = [];
  const trustedTypes = { createPolicy: (name: string, rules: Rules) => made.push([name, rules]) };
  trustOwnScripts({ location: { origin: 'app://shell' }, trustedTypes });
  const [[name, rules]] = made as [[string, Rules]];
  expect([name, Object.keys(rules)]).toEqual(['default', ['createScriptURL']]);
  const own = ['app://shell/assets/worker-1a.js', 'app://shell/third-party/turso-wasm/worker.js'];
  const others = [
    'app://shell.example/a.js',
    'app://shell',
    'https://example.com/app://shell/a.js',
    'data:text/javascript,app://shell/',
    'blob:app://shell/1',
    'javascript:1',
    '/assets/a.js',
    '',
  ];
  expect([...own, ...others].filter((address) => rules['createScriptURL']!(address) !== null)).toEqual(own);
});

it('a browser without Trusted Types needs none', () => {
  expect(() => trustOwnScripts({ location: { origin: 'app://shell' } })).not.toThrow();
});
