// Engines in groups, each with a sentence; those that are missing say why.
import type { ReactNode } from 'react';
import { ENGINES, profileOf, referenceOf } from '#shared/bench/engines.ts';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { plural } from '../../../ui/format.ts';
import { engineLabel } from '../results/labels.ts';
import { ENGINE_GROUPS, whyNoEngine } from './plan.ts';
import type { ChoiceProps } from './suite-choice.tsx';

export function EngineChoice({ setup, change, availability }: ChoiceProps): ReactNode {
  const chosen = setup.engines;
  const toggle = (id: EngineDefinition['id'], isChosen: boolean): void =>
    change({
      engines: ENGINES.map((engine) => engine.id).filter((each) => (each === id ? isChosen : chosen.includes(each))),
    });
  const references = new Set(
    ENGINES.filter((engine) => chosen.includes(engine.id) && whyNoEngine(engine, availability) === null).map((engine) =>
      referenceOf(engine, setup.profile),
    ),
  );
  const added = [...references].filter((id) => !chosen.includes(id));
  return (
    <fieldset className="bench-choice">
      <legend>Engines</legend>
      {ENGINE_GROUPS.map(({ title, isFolded, engines }) => (
        <details
          key={title}
          className="bench-group"
          role="group"
          aria-label={title}
          open={!isFolded || engines.some(({ id }) => chosen.includes(id))}
        >
          <summary>
            {title} <small>{plural(engines.length, 'engine')}</small>
          </summary>
          {engines.map((engine) => {
            const why = whyNoEngine(engine, availability);
            const profile = profileOf(engine, setup.profile);
            return (
              <label key={engine.id} className={why === null ? 'bench-option' : 'bench-option bench-option-off'}>
                <input
                  type="checkbox"
                  checked={chosen.includes(engine.id) && why === null}
                  disabled={why !== null}
                  onChange={({ target }) => toggle(engine.id, target.checked)}
                />
                <span>
                  <b>{engine.label}</b>
                  {profile !== setup.profile && <i title={`Measured with the profile ${profile}`}>{profile}</i>}
                  {references.has(engine.id) && <i>reference</i>}
                  <small>{engine.description}</small>
                  {why !== null && <em>{why}</em>}
                </span>
              </label>
            );
          })}
        </details>
      ))}
      {added.length > 0 && (
        <p className="bench-note">
          {added.map(engineLabel).join(' and ')} {added.length === 1 ? 'is' : 'are'} measured too, as the baseline for
          ratios.
        </p>
      )}
    </fieldset>
  );
}
