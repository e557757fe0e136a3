import type { ModelCapability, Sampling } from '@lensforge/contracts';
import { badInputs } from '@lensforge/core';
import { faultInOutputSchema } from './output-schema.js';
import { type PromptImage, extractImages } from './prompt-images.js';

export interface ModelRequest {
  /** The capabilities that the model must have. */
  needs: ModelCapability[];
  /** The parameters for the template, with images as text. */
  params: Record<string, unknown>;
  /** The images of the lens, then those of the parameters. */
  images: PromptImage[];
}

/** True when the model must be one whose choice of words can be set. */
export const needsSampling = (sampling: Sampling | null | undefined): boolean =>
  (sampling?.temperature ?? sampling?.topP) !== undefined;

/** The capabilities, parameters and images of a request; refuses an invalid output schema or image. */
export function readModelRequest({
  params: given,
  outputSchema,
  sampling,
  fixedImages = [],
}: {
  params: Record<string, unknown>;
  /** The images of the lens. */
  fixedImages?: readonly PromptImage[];
  outputSchema?: Record<string, unknown> | undefined;
  sampling?: Sampling | undefined;
}): ModelRequest {
  const fault = outputSchema && faultInOutputSchema(outputSchema);
  if (fault) throw badInputs([fault]);
  const { params, images: ofParams } = extractImages(given);
  const images = fixedImages.length > 0 ? [...fixedImages, ...ofParams] : ofParams;
  const needs: ModelCapability[] = [];
  if (images.length > 0) needs.push('images');
  if (images.some((image) => 'url' in image)) needs.push('image_urls');
  if (outputSchema) needs.push('json');
  if (needsSampling(sampling)) needs.push('sampling');
  return { needs, params, images };
}
