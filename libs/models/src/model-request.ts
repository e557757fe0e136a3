import type { LensExecuteRequest, ModelCapability } from '@lensforge/contracts';
import { badInputs } from '@lensforge/core';
import { faultInOutputSchema } from './output-schema.js';
import type { PromptImage } from './prompt-images.js';
import { takeImages } from './prompt-images.js';

export interface ModelRequest {
  /** What a model has to be capable of. */
  needs: ModelCapability[];
  /** The parameters as text for the template. */
  params: Record<string, unknown>;
  images: PromptImage[];
}

/** What a request asks of a model beside an answer in words; refused where it makes no sense for any model. */
export function modelRequestOf({
  params: given,
  outputSchema,
  sampling,
}: Pick<LensExecuteRequest, 'params' | 'outputSchema' | 'sampling'>): ModelRequest {
  const fault = outputSchema && faultInOutputSchema(outputSchema);
  if (fault) throw badInputs([fault]);
  const { params, images } = takeImages(given);
  const needs: ModelCapability[] = [];
  if (images.length > 0) needs.push('images');
  if (images.some((image) => 'url' in image)) needs.push('image_urls');
  if (outputSchema) needs.push('json');
  if (sampling?.temperature !== undefined) needs.push('sampling');
  return { needs, params, images };
}
