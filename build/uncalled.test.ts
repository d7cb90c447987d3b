import { expect, it } from 'vitest';
import { uncalled } from './uncalled.ts';

const DECLARED = {
  path: 'shared/protocol/rows.ts',
  text: `export interface RowsOperations { 'rows.read': Op<null, Page>; 'rows.find': Op<null, number>; }
    export interface RowsEvents { 'rows.changed': null }
    export interface RowsPlaces { 'rows.first': number }`,
};
const found = (text: string): readonly string[] => uncalled([DECLARED, { path: 'renderer/use-rows.ts', text }]);

it('names what nobody calls or hears', () => {
  expect(found(`this.#call('rows.read', {}); client.on('rows.changed', again);`)).toEqual([
    "Nobody calls or hears 'rows.find' (RowsOperations in shared/protocol/rows.ts).",
  ]);
});

it('does not mistake a handler, a command, or an event that is sent for a call', () => {
  expect(
    found(`serve({ 'rows.read': read, 'rows.find': find }); useCommand('rows.read', read); port.send('rows.changed');`),
  ).toHaveLength(3);
});

it('sees a call whose name is chosen or put together', () => {
  expect(found('client.call(isNew ? `rows.${verb}` : "rows.changed", {});')).toEqual([]);
});

it('does not take a text that begins with a value for every name', () => {
  expect(found('say(`${name} was found`); client.on(`${what}`, again);')).toHaveLength(3);
});
