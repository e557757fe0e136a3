export { announceProviders } from './announce-providers.js';
export { readModelRequest } from './model-request.js';
export { faultInOutputSchema } from './output-schema.js';
export { computeCost, estimateCost, getMaxOutputTokens, roughTokens } from './estimate-cost.js';
export type { Priced } from './estimate-cost.js';
export { faultAgainstSchema } from './fault-against-schema.js';
export { importModels, listCatalogue } from './import-models.js';
export type { CatalogueRow } from './import-models.js';
export { listModels } from './list-models.js';
export { Model } from './model.entity.js';
export { chooseModel, modelById, modelNamed, toModelName, unknownModels, usableModels } from './models.js';
export type { ChosenModel, ModelCriteria } from './models.js';
export { extractImages } from './prompt-images.js';
export type { PromptImage } from './prompt-images.js';

import { Model } from './model.entity.js';
import { AnnouncedProvider } from './provider.entity.js';
export const modelEntities = [Model, AnnouncedProvider] as const;
