export { createNode, deleteNode, editNode } from './change-node.ts'
export { listNodes } from './list.ts'
