import { expect, it } from 'vitest';
import { VIEWS } from '../../../src/oversight/facts/facts.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { GROUP_NAMES, groupOf } from '../../../src/oversight/figures/query/groups.ts';

const now = new Date();

it('a group says that it reads a materialized view, so that it is refreshed before: exactly those that do', () => {
  const viewed = GROUP_NAMES.filter((name) => {
    const { always = [], select } = groupOf(name);
    const { text } = select(
      { spans: [{ from: now, to: now }], timeZone: 'UTC', slice: {}, by: always },
      { now, config: readConfig({}) },
    );
    return VIEWS.some((view) => new RegExp(`\\b${view.name}\\b`).test(text));
  });
  expect(viewed.length).toBeGreaterThanOrEqual(VIEWS.length);
  expect(GROUP_NAMES.filter((name) => groupOf(name).isViewed)).toEqual(viewed);
});
