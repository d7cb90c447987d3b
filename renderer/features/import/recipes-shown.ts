// Whether the list of recipes lies over the window.
import { create } from 'zustand';

export const useRecipesShown = create<{ readonly isShown: boolean }>()(() => ({ isShown: false }));

export const showRecipes = (isShown: boolean): void => useRecipesShown.setState({ isShown });
