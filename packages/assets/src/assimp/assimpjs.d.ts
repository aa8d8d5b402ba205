declare module 'assimpjs' {
  const assimpjs: () => Promise<import('./assimp-module.js').AssimpModule>;
  export default assimpjs;
}
