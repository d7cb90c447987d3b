// Suites with their sizes, and the text of the user's own query.
import type { ReactNode } from 'react';
import { SUITES } from '#shared/bench/suites.ts';
import type { SuiteDefinition, SuiteId } from '#shared/bench/suites.ts';
import { formatCount } from '../../../ui/format.ts';
import type { BenchSetup } from '../choice.ts';
import { sizesOf, whyNoSuite } from './plan.ts';
import type { Availability } from './plan.ts';

export interface ChoiceProps {
  readonly setup: BenchSetup;
  readonly change: (patch: Partial<BenchSetup>) => void;
  readonly availability: Availability;
}

export function SuiteChoice({ setup, change, availability }: ChoiceProps): ReactNode {
  const toggle = (id: SuiteId, isChosen: boolean): void =>
    change({
      suites: SUITES.map((suite) => suite.id).filter((each) => (each === id ? isChosen : setup.suites.includes(each))),
    });
  return (
    <fieldset className="bench-choice">
      <legend>What to measure</legend>
      {SUITES.map((suite) => {
        const why = whyNoSuite(suite, availability);
        const isChosen = setup.suites.includes(suite.id) && why === null;
        return (
          <div key={suite.id} className={why === null ? 'bench-option' : 'bench-option bench-option-off'}>
            <label>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={why !== null}
                onChange={({ target }) => toggle(suite.id, target.checked)}
              />
              <span>
                <b>{suite.title}</b> <code>{suite.id}</code>
                <small>{suite.question}</small>
                {suite.source !== null && <small className="bench-source">based on {suite.source}</small>}
                {why !== null && <em>{why}</em>}
              </span>
            </label>
            {isChosen && suite.sizes.length > 1 && <Sizes suite={suite} setup={setup} change={change} />}
            {isChosen && suite.id === 'own-query' && (
              <OwnSql setup={setup} change={change} availability={availability} />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

function Sizes({
  suite,
  setup,
  change,
}: Omit<ChoiceProps, 'availability'> & { readonly suite: SuiteDefinition }): ReactNode {
  const chosen = sizesOf(setup, suite.id);
  const toggle = (size: number): void => {
    const next = suite.sizes.filter((each) => (each === size ? !chosen.includes(size) : chosen.includes(each)));
    change({ sizes: { ...setup.sizes, [suite.id]: next } });
  };
  return (
    <div className="bench-sizes" role="group" aria-label={`Sizes of ${suite.title}`}>
      {suite.sizes.map((size) => (
        <button key={size} type="button" aria-pressed={chosen.includes(size)} onClick={() => toggle(size)}>
          {formatCount(size)}
        </button>
      ))}
      <span>{suite.sizeUnit}; each chosen size is measured</span>
      {setup.sizes[suite.id] && (
        <button
          type="button"
          className="bench-link"
          onClick={() => {
            const { [suite.id]: _usual, ...sizes } = setup.sizes;
            change({ sizes });
          }}
        >
          default{' '}
        </button>
      )}
    </div>
  );
}

function OwnSql({ setup, change, availability }: ChoiceProps): ReactNode {
  return (
    <label className="bench-own">
      <small>Runs on a copy of “{availability.databaseName}” in each engine; the database itself is not changed.</small>
      <textarea
        rows={4}
        spellCheck={false}
        aria-label="SQL to measure"
        placeholder="SELECT …"
        value={setup.sql}
        onChange={({ target }) => change({ sql: target.value })}
      />
    </label>
  );
}
