import type { InspectorMethods } from '../inspector-method.js';
import type { AssetList } from '../asset-list.js';
import type { InspectorSources } from '../inspector-sources.js';
import { PAGE, USUAL_LIMIT } from '../protocol/params.js';

const NO_IMPORTS = { total: 0, completed: 0, failed: 0 } as const;

/** What is known of assets. */
export function assetMethods(
  assets: AssetList,
  imports: InspectorSources['imports'],
): InspectorMethods {
  return {
    'assets.list': {
      asks: true,
      params: PAGE,
      run({ offset = 0, limit = USUAL_LIMIT }) {
        const { total, completed, failed } = imports?.progress ?? NO_IMPORTS;
        return {
          total: assets.total,
          assets: assets.page(offset, limit),
          imports: { total, completed, failed },
        };
      },
    },
  };
}
