import { serve } from '@lensforge/edge';
import { oauth } from './service.js';

await serve(oauth);
