"""What each public function costs on large inputs, against the least that it could cost."""
