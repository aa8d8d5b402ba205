/**
 * Every row of the table. `package` is where the version is read; `iterationOnly` marks a second way to
 * use a library, that differs only in how queries are walked; `only` lists the workloads that another way differs in.
 */
export const libraries = {
  'hand-table': { load: () => import('./libraries/hand-table.mjs') },
  'hand-constant': { load: () => import('./libraries/hand-constant.mjs') },
  'ecliptic-tables': { load: () => import('./libraries/ecliptic-tables.mjs') },
  'ecliptic-each': { iterationOnly: true, load: () => import('./libraries/ecliptic-each.mjs') },
  'ecliptic-for-each': {
    iterationOnly: true,
    load: () => import('./libraries/ecliptic-for-each.mjs'),
  },
  'ecliptic-commands': {
    only: ['entity_cycle', 'add_remove'],
    load: () => import('./libraries/ecliptic-commands.mjs'),
  },
  'ecliptic-batches': {
    only: ['entity_cycle', 'create'],
    load: () => import('./libraries/ecliptic-batches.mjs'),
  },
  bitecs: { package: 'bitecs', load: () => import('./libraries/bitecs.mjs') },
  piecs: { package: 'piecs', load: () => import('./libraries/piecs.mjs') },
  oecs: { package: '@oasys/oecs', load: () => import('./libraries/oecs.mjs') },
  koota: { package: 'koota', load: () => import('./libraries/koota.mjs') },
  'koota-update-each': {
    package: 'koota',
    iterationOnly: true,
    load: () => import('./libraries/koota-update-each.mjs'),
  },
  becsy: { package: '@lastolivegames/becsy', load: () => import('./libraries/becsy.mjs') },
  miniplex: { package: 'miniplex', load: () => import('./libraries/miniplex.mjs') },
  woven: { package: '@woven-ecs/core', load: () => import('./libraries/woven.mjs') },
  elics: { package: 'elics', load: () => import('./libraries/elics.mjs') },
  thyseus: { package: 'thyseus', load: () => import('./libraries/thyseus.mjs') },
};

/** The row that ratios are taken against. */
export const BASE = 'hand-table';
