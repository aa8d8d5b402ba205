import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, type Component, type EntityId, type Scene } from '@ecliptic/ecs';
import * as v from 'valibot';
import type { InspectorMethods } from '../inspector-method.js';
import type { InspectorSources } from '../inspector-sources.js';
import { INDEX, LIMIT, NONE, TEXT, USUAL_LIMIT } from '../protocol/params.js';
import { describeComponent } from '../scene/component-description.js';
import { readComponent } from '../scene/component-values.js';
import { EntityList, type EntitySearch } from '../scene/entity-list.js';
import { resolveEntity, summarizeEntity, type EntityRef } from '../scene/entity-summary.js';
import { TextSearch } from '../scene/text-search.js';

const ENTITY: v.GenericSchema<unknown, EntityRef> = v.union([TEXT, INDEX]);
const COMPONENTS = v.optional(v.pipe(v.array(TEXT), v.maxLength(32)));

/** What is asked about entities and their components. */
export function entityMethods({
  session,
  labelOf = () => '',
}: Pick<InspectorSources, 'session' | 'labelOf'>): InspectorMethods {
  const { scene } = session;
  const list = new EntityList(scene);
  const resolve = (ref: EntityRef): EntityId => resolveEntity(session, ref);
  const summarize = (entity: EntityId) => summarizeEntity(session, entity, labelOf);
  const componentsNamed = (names: readonly string[] = []): Component[] =>
    names.map((name) => componentNamed(scene, name));

  return {
    'entities.children': {
      asks: true,
      params: v.strictObject({
        of: v.optional(v.nullable(ENTITY)),
        offset: v.optional(INDEX),
        limit: LIMIT,
      }),
      run({ of = null, offset = 0, limit = USUAL_LIMIT }) {
        const parent = of === null ? INVALID_ENTITY : resolve(of);
        const page = list.children(parent, offset, limit);
        return { total: page.total, entities: page.entities.map(summarize) };
      },
    },
    'entities.find': {
      asks: true,
      params: v.strictObject({
        name: v.optional(TEXT),
        with: COMPONENTS,
        without: COMPONENTS,
        after: v.optional(TEXT),
        limit: LIMIT,
      }),
      run({ name = '', after = '', limit = USUAL_LIMIT, ...filter }) {
        const search: EntitySearch = {
          name: name === '' ? undefined : new TextSearch(name),
          with: componentsNamed(filter.with),
          without: componentsNamed(filter.without),
        };
        const { next, ...found } = list.find(search, after, limit);
        return { entities: found.entities.map(summarize), next: next ?? null };
      },
    },
    'components.list': {
      asks: true,
      params: NONE,
      run: () => ({ components: scene.componentTypes.map(describeComponent) }),
    },
    'components.get': {
      asks: true,
      params: v.strictObject({ entity: ENTITY }),
      run({ entity: ref }) {
        const entity = resolve(ref);
        const uuidOf = (other: EntityId): string | undefined => session.uuidOf(other);
        const components = scene.getMask(entity).components.map((component) => ({
          name: component.name,
          value: readComponent(scene, entity, component, uuidOf),
        }));
        return { entity: summarize(entity), components };
      },
    },
  };
}

function componentNamed({ componentTypes }: Scene, name: string): Component {
  const component = componentTypes.find((each) => each.name === name);
  if (component !== undefined) return component;
  throw new EclipticError('authoring/unknown-component', `The scene has no component "${name}"`, {
    subjects: { component: name },
    fix: 'Use a name that components.list gives.',
  });
}
