import { Module } from '@nestjs/common';
import { HttpDoor } from './http-door.js';

@Module({ controllers: [HttpDoor] })
export class McpModule {}
