import { EclipticError } from '@ecliptic/core';
import { isPromise } from '../lifecycle/deadline.js';
import type { EnginePlugin, PluginOption } from './engine-plugin.js';

/**
 * Flattens presets, skips what is falsy, checks ids and dependencies, and sorts: each plugin after those it requires and
 * those it wants to come after, else in the order of the list.
 *
 * @throws EclipticError `engine/plugin-graph` with one line a problem, all at once: bad and duplicate ids, missing
 *   requirements, dependencies on oneself, cycles with their path
 */
export function resolvePlugins(options: readonly PluginOption[]): readonly EnginePlugin[] {
  const plugins = flatten(options);
  const problems = [...findBadIds(plugins), ...findDuplicates(plugins), ...findMissing(plugins)];
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const sorted = sort(plugins, byId, problems);
  if (problems.length === 0) return sorted;
  throw new EclipticError(
    'engine/plugin-graph',
    `The plugins don't fit together:\n- ${problems.join('\n- ')}`,
    {
      subjects: { problems, plugins: plugins.map((plugin) => plugin.id) },
      fix: 'Correct the list of plugins that createEngine() is given; nothing was started.',
    },
  );
}

function flatten(options: readonly PluginOption[]): EnginePlugin[] {
  const plugins: EnginePlugin[] = [];
  for (const option of options) {
    if (!option) continue;
    if (isList(option)) plugins.push(...flatten(option));
    else plugins.push(option);
  }
  return plugins;
}

function isList(option: EnginePlugin | readonly PluginOption[]): option is readonly PluginOption[] {
  return Array.isArray(option);
}

function findBadIds(plugins: readonly EnginePlugin[]): string[] {
  const problems: string[] = [];
  for (const [index, plugin] of plugins.entries()) {
    const { id } = plugin;
    if (typeof id === 'string' && /^[\w-]+(\.[\w-]+)*$/.test(id)) continue;
    problems.push(`plugin ${index + 1} ${whatIsWrong(plugin)}`);
  }
  return problems;
}

/** JavaScript lets everything pass, and `plugins: [ecs]` for `[ecs()]` is soon written. */
function whatIsWrong(plugin: unknown): string {
  if (typeof plugin === 'function') return `is the function ${plugin.name}: call it`;
  if (isPromise(plugin)) return 'is a promise: wait for it';
  if (typeof plugin !== 'object') return `is ${JSON.stringify(plugin)}, which is no plugin`;
  const { id } = plugin as EnginePlugin;
  return `has the id ${JSON.stringify(id)}; an id is words joined by dots, as "acme.weather"`;
}

function findDuplicates(plugins: readonly EnginePlugin[]): string[] {
  const counts = new Map<string, number>();
  for (const { id } of plugins) {
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `"${id}" is there ${count} times`);
}

function findMissing(plugins: readonly EnginePlugin[]): string[] {
  const ids = new Set(plugins.map((plugin) => plugin.id));
  const problems: string[] = [];
  for (const { id, requires = [] } of plugins) {
    for (const required of requires) {
      if (!ids.has(required)) problems.push(`"${id}" requires "${required}", which isn't there`);
    }
  }
  return problems;
}

/** Depth-first, so that each plugin follows its dependencies and otherwise the list; tells of cycles. */
function sort(
  plugins: readonly EnginePlugin[],
  byId: ReadonlyMap<string, EnginePlugin>,
  problems: string[],
): readonly EnginePlugin[] {
  const sorted: EnginePlugin[] = [];
  const done = new Set<EnginePlugin>();
  const path: EnginePlugin[] = [];
  const visit = (plugin: EnginePlugin): void => {
    const start = path.indexOf(plugin);
    if (start >= 0) {
      const ids = [...path.slice(start), plugin].map((on) => `"${on.id}"`);
      problems.push(ids.length === 2 ? `${ids[0]} depends on itself` : `cycle: ${ids.join(' → ')}`);
      return;
    }
    if (done.has(plugin)) return;
    path.push(plugin);
    for (const id of new Set([...(plugin.requires ?? []), ...(plugin.after ?? [])])) {
      const dependency = byId.get(id);
      if (dependency) visit(dependency);
    }
    path.pop();
    done.add(plugin);
    sorted.push(plugin);
  };
  for (const plugin of plugins) visit(plugin);
  return sorted;
}
